package dev.hapax.app.queue;

import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A real ElasticMQ server, which speaks the protocol of SQS, as a process with a class path of its
 * own. Queues and messages are on disk, so they survive {@link #crash}.
 */
final class ElasticMq {
  private static final Path CLASS_PATH =
      Path.of(
              System.getProperty("basedir", "app"),
              "../connectors/sqs-broker/target/class-path.txt")
          .toAbsolutePath()
          .normalize();
  private static final Duration LONGEST_START = Duration.ofMinutes(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path folder;
  private final int port;
  private @Nullable Process process;

  private ElasticMq(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Returns why there is no server for tests; null if there is one. */
  static @Nullable String obstacle() {
    return Files.exists(CLASS_PATH)
        ? null
        : "there is no " + CLASS_PATH + "; a build with its tests makes it";
  }

  static ElasticMq start() throws IOException, InterruptedException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var server = new ElasticMq(Files.createTempDirectory("hapax-elasticmq"), port);
    Files.writeString(
        server.folder.resolve("server.conf"),
        """
        include classpath("application.conf")
        node-address { protocol = http, host = "127.0.0.1", port = %1$d, context-path = "" }
        rest-sqs { enabled = true, bind-port = %1$d, bind-hostname = "127.0.0.1", sqs-limits = relaxed }
        rest-stats { enabled = false }
        queues-storage { enabled = true, path = "%2$s/queues.conf" }
        messages-storage {
          enabled = true
          driver-class = "org.h2.Driver"
          uri = "jdbc:h2:file:%2$s/messages;WRITE_DELAY=0"
          username = ""
          password = ""
          prune-data-on-init = false
        }
        """
            .formatted(port, server.folder));
    server.launch();
    return server;
  }

  private void launch() throws IOException, InterruptedException {
    Path log = folder.resolve("log");
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-Dconfig.file=" + folder.resolve("server.conf"),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                Files.readString(CLASS_PATH).strip(),
                "org.elasticmq.server.Main")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process = started;
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly, "stop-elasticmq"));
    long end = System.nanoTime() + LONGEST_START.toNanos();
    while (true) {
      try {
        ask("ListQueues", Map.of());
        return;
      } catch (IOException e) {
        if (!started.isAlive() || System.nanoTime() > end) {
          throw new IOException("ElasticMQ did not start: " + Files.readString(log), e);
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  int port() {
    return port;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + port);
  }

  JsonNode ask(String action, Map<String, ?> parameters) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(address().resolve("/"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS." + action)
                .POST(BodyPublishers.ofString(Json.write(parameters)))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("%s: HTTP %d %s".formatted(action, answer.statusCode(), answer.body()));
    }
    return Json.tree(answer.body().isEmpty() ? "{}" : answer.body());
  }

  /** Creates a queue and returns its address. */
  String create(String name, Map<String, String> attributes)
      throws IOException, InterruptedException {
    return ask("CreateQueue", Map.of("QueueName", name, "Attributes", attributes))
        .path("QueueUrl")
        .asString();
  }

  /** Returns how many messages a queue has, visible or not. */
  long count(String queue) throws IOException, InterruptedException {
    JsonNode attributes =
        ask("GetQueueAttributes", Map.of("QueueUrl", queue, "AttributeNames", List.of("All")))
            .path("Attributes");
    return Stream.of("", "NotVisible", "Delayed")
        .mapToLong(kind -> attributes.path("ApproximateNumberOfMessages" + kind).asLong())
        .sum();
  }

  /** Kills it and starts it again on the same port. */
  void crash() throws IOException, InterruptedException {
    kill();
    launch();
  }

  private void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
    }
  }

  /** Stops it and deletes its files. */
  void close() throws IOException, InterruptedException {
    kill();
    client.close();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
