package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ChildProcess;
import dev.hapax.testkit.fault.KafkaServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jars as the distribution has them: the program in lib, each connector in its own folder. */
@Tag("server") // when the jars are there
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class ConnectorJarsTest {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final Path BASE = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
  private static final Path PROGRAM = BASE.resolve("target/hapax.jar");
  private static final List<String> CLIENTS =
      List.of("org.apache.kafka.", "com.rabbitmq.", "dev.hapax.connector.");

  @TempDir Path folder;

  @BeforeEach
  void needJars() throws IOException {
    assumeThat(PROGRAM).as("'mvn verify' makes it").exists();
    for (String kind : List.of("kafka", "rabbitmq")) {
      assumeThat(jars(connector(kind), "hapax-connector-")).as("jars of " + kind).hasSize(1);
    }
  }

  private static Path connector(String kind) {
    return BASE.resolve("../connectors").resolve(kind).resolve("target").normalize();
  }

  private static List<Path> jars(Path in, String beginning) throws IOException {
    if (Files.notExists(in)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(in)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(beginning))
          .filter(file -> file.getFileName().toString().endsWith(".jar"))
          .toList();
    }
  }

  private Path layOut() throws IOException {
    Path program = Files.createDirectories(folder.resolve("dist/lib")).resolve("hapax.jar");
    Files.copy(PROGRAM, program);
    for (String kind : List.of("kafka", "rabbitmq")) {
      Path own = Files.createDirectories(folder.resolve("dist/connectors").resolve(kind));
      for (Path jar : jars(connector(kind), "hapax-connector-")) {
        Files.copy(jar, own.resolve(jar.getFileName()));
      }
      for (Path jar : jars(connector(kind).resolve("libraries"), "")) {
        Files.copy(jar, own.resolve(jar.getFileName()));
      }
    }
    return program;
  }

  @Test
  void client_libraries_are_loaded_from_their_folders_when_a_connection_needs_them()
      throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    Path loaded = folder.resolve("loaded.txt");
    Path data = folder.resolve("data");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xlog:class+load:file=" + loaded,
            "-jar",
            layOut().toString(),
            "serve",
            "--data",
            data.toString(),
            "--port",
            "0");
    try (ChildProcess process = ChildProcess.start(folder, command)) {
      String ready = process.awaitLine(line -> line.startsWith("{"), LONG);
      String token = Files.readString(data.resolve("admin.token")).strip();
      try (var server =
          new ServerCalls(URI.create(Json.tree(ready).at("/data/url").asString()), token)) {
        assertThat(Files.readString(loaded))
            .as("classes of a server without a queue")
            .contains("dev.hapax.app.queue.LiveQueues")
            .doesNotContain(CLIENTS);

        KafkaServer.shared().ask("create", "ready", 1); // returns when the broker answers
        String kafka =
            "{\"kafka\": {\"servers\": [\"%s\"], \"tls\": \"none\", \"privateHosts\": [\"127.0.0.1\"]}}"
                .formatted(KafkaServer.shared().server());
        ServerCalls.must(server.ask(token, "PUT", "/api/connections/kafka", kafka));
        assertThat(server.ask(token, "POST", "/api/connections/kafka/test", "{}").at("/ok"))
            .isEqualTo("true");
        assertThat(Files.readString(loaded))
            .contains("org.apache.kafka.", "dev.hapax.connector.kafka")
            .doesNotContain("com.rabbitmq.");

        // Something listens there, and does not speak AMQP: the library finds that out.
        String rabbit =
            "{\"rabbitmq\": {\"host\": \"127.0.0.1\", \"port\": %d, \"tls\": \"none\", \"privateHosts\": [\"127.0.0.1\"]}}"
                .formatted(URI.create("kafka://" + KafkaServer.shared().server()).getPort());
        ServerCalls.must(server.ask(token, "PUT", "/api/connections/rabbit", rabbit));
        assertThat(server.ask(token, "POST", "/api/connections/rabbit/test", "{}").text())
            .doesNotContain("no client library");
        assertThat(Files.readString(loaded)).contains("dev.hapax.connector.rabbitmq");
      }
    }
  }

  @Test
  void queues_add_less_than_a_megabyte_to_the_program() throws IOException {
    long added = 0;
    try (var jar = new JarFile(PROGRAM.toFile())) {
      for (ZipEntry entry : jar.stream().toList()) {
        String name = entry.getName();
        assertThat(name).doesNotStartWith("org/apache/kafka/").doesNotStartWith("com/rabbitmq/");
        boolean isOfQueues =
            name.startsWith("dev/hapax/app/queue/")
                || name.startsWith("dev/hapax/flows/queue/")
                || name.startsWith("dev/hapax/flows/trigger/Queue")
                || name.startsWith("dev/hapax/flows/connection/Broker");
        added += isOfQueues ? entry.getCompressedSize() : 0;
      }
    }

    assertThat(added).as("bytes of the code of queues").isBetween(10_000L, 1L << 20);
    System.out.printf("the code of queues adds %,d bytes to the program%n", added);
  }
}
