package dev.hapax.app.queue;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real RabbitMQ server of the installed package, with a name, ports and files of its own. The
 * package's own service is not needed and not touched. Its port mapper (epmd) is a process of its
 * own, too.
 */
final class RabbitServer {
  private static final Path INSTALLED = Path.of("/usr/lib/rabbitmq/lib");
  private static final Duration LONGEST_START = Duration.ofMinutes(3);

  private final Path folder;
  private final int port;
  private final int mapperPort;
  private final int distributionPort;
  private @Nullable Process mapper;
  private @Nullable Process process;
  private @Nullable Connection connection;

  private RabbitServer(Path folder, int port, int mapperPort, int distributionPort) {
    this.folder = folder;
    this.port = port;
    this.mapperPort = mapperPort;
    this.distributionPort = distributionPort;
  }

  /** Returns why this machine cannot have a server; null if it can. */
  static @Nullable String obstacle() {
    return program() == null
        ? "RabbitMQ is not installed below %s (Debian's package rabbitmq-server)"
            .formatted(INSTALLED)
        : null;
  }

  private static @Nullable Path program() {
    if (!Files.isDirectory(INSTALLED)) {
      return null;
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("sbin/rabbitmq-server"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      return null;
    }
  }

  static RabbitServer start() throws IOException, InterruptedException {
    int[] ports = new int[3];
    try (var first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var third = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ports[0] = first.getLocalPort();
      ports[1] = second.getLocalPort();
      ports[2] = third.getLocalPort();
    }
    var server =
        new RabbitServer(Files.createTempDirectory("hapax-rabbitmq"), ports[0], ports[1], ports[2]);
    Files.writeString(
        server.folder.resolve("rabbitmq.conf"),
        """
        listeners.tcp.1 = 127.0.0.1:%d
        disk_free_limit.absolute = 1MB
        vm_memory_high_watermark.absolute = 512MB
        log.file.level = info
        """
            .formatted(ports[0]));
    Files.writeString(server.folder.resolve("plugins"), "[].\n");
    server.launch();
    return server;
  }

  private Process run(List<String> command, Map<String, String> environment) throws IOException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("output").toFile()));
    builder.environment().putAll(environment);
    Process started = builder.start();
    started.getOutputStream().close();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> kill(started), "stop-rabbitmq"));
    return started;
  }

  private void launch() throws IOException, InterruptedException {
    if (mapper == null) {
      mapper =
          run(
              List.of("epmd", "-address", "127.0.0.1", "-port", Integer.toString(mapperPort)),
              Map.of());
    }
    Process started =
        run(
            List.of(String.valueOf(program())),
            Map.ofEntries(
                Map.entry("HOME", folder.toString()),
                Map.entry("ERL_EPMD_PORT", Integer.toString(mapperPort)),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("RABBITMQ_NODENAME", "hapax" + port + "@localhost"),
                Map.entry("RABBITMQ_DIST_PORT", Integer.toString(distributionPort)),
                Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString()),
                Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("none").toString()),
                Map.entry("RABBITMQ_ADVANCED_CONFIG_FILE", folder.resolve("none").toString()),
                Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString()),
                Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
                Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
                Map.entry("RABBITMQ_PID_FILE", folder.resolve("pid").toString())));
    process = started;
    long end = System.nanoTime() + LONGEST_START.toNanos();
    while (true) {
      try {
        connection = connect();
        return;
      } catch (IOException | TimeoutException e) {
        if (!started.isAlive() || System.nanoTime() > end) {
          throw new IOException(
              "RabbitMQ did not start: " + Files.readString(folder.resolve("output")), e);
        }
        LockSupport.parkNanos(100_000_000);
      }
    }
  }

  private Connection connect() throws IOException, TimeoutException {
    var factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    factory.setAutomaticRecoveryEnabled(false);
    return factory.newConnection();
  }

  int port() {
    return port;
  }

  /** A connection of the test's own. */
  Connection connection() {
    Connection open = connection;
    if (open == null) {
      throw new IllegalStateException("the server does not run");
    }
    return open;
  }

  /** Kills it and starts it again, with the same ports and files. */
  void crash() throws IOException, InterruptedException {
    connection().abort(1_000);
    stop(process);
    launch();
  }

  private static void stop(@Nullable Process running) throws InterruptedException {
    if (running != null) {
      List<ProcessHandle> all =
          Stream.concat(running.descendants(), Stream.of(running.toHandle())).toList();
      kill(running);
      for (ProcessHandle one : all) {
        one.onExit().join();
      }
    }
  }

  private static void kill(Process running) {
    running.descendants().forEach(ProcessHandle::destroyForcibly);
    running.destroyForcibly();
  }

  /** Stops it and deletes its files. */
  void close() throws IOException, InterruptedException {
    Connection open = connection;
    if (open != null) {
      open.abort(1_000);
    }
    stop(process);
    stop(mapper);
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
