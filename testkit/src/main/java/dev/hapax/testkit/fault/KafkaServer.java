package dev.hapax.testkit.fault;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker in its own process, and a client of it. All tests of this JVM share it; each
 * has its own topic. It ends with this process. The build of a checkout with its tests makes what
 * it needs.
 */
public final class KafkaServer {
  /** The folder of a module beside the connectors; Surefire sets it. */
  private static final String MODULE = "basedir";

  private static final Path CONNECTORS =
      Path.of(System.getProperty(MODULE, "app"), "../connectors").toAbsolutePath().normalize();
  private static final Path CLASS_PATH = CONNECTORS.resolve("kafka-broker/target/class-path.txt");
  private static final Path TOOLS = CONNECTORS.resolve("kafka/target/test-classes");
  private static final Path LIBRARIES = CONNECTORS.resolve("kafka/target/libraries");

  private static @Nullable KafkaServer shared; // guarded by the class

  private final Path folder;
  private final Path settings;
  private final int port = freePort();
  private final BiFunction<String, List<Object>, Object> desk;
  private Process process; // guarded by this

  /** Returns why there is no broker for tests; null if there is one. */
  public static @Nullable String obstacle() {
    return Stream.of(CLASS_PATH, TOOLS, LIBRARIES)
        .filter(Files::notExists)
        .findFirst()
        .map(missing -> "there is no " + missing + "; a build with its tests makes it")
        .orElse(null);
  }

  /** Returns the one broker of this process. */
  public static synchronized KafkaServer shared() throws Exception {
    if (shared == null) {
      shared = new KafkaServer();
    }
    return shared;
  }

  private KafkaServer() throws Exception {
    folder = Files.createTempDirectory("hapax-kafka");
    int controller = freePort();
    settings =
        Files.writeString(
            folder.resolve("server.properties"),
            """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            controller.listener.names=CONTROLLER
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
            log.dirs=%3$s
            auto.create.topics.enable=false
            group.initial.rebalance.delay.ms=0
            message.max.bytes=16777216
            offsets.topic.num.partitions=1
            offsets.topic.replication.factor=1
            transaction.state.log.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            num.network.threads=2
            num.io.threads=2
            """
                .formatted(port, controller, folder.resolve("data")));
    process = start();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::end));
    desk = desk(server());
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            TOOLS + File.pathSeparator + Files.readString(CLASS_PATH).strip(),
            "dev.hapax.connector.kafka.KafkaStarter",
            settings.toString())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("output.txt").toFile()))
        .start();
  }

  @SuppressWarnings("unchecked") // the class is known by its name only
  private static BiFunction<String, List<Object>, Object> desk(String server) throws Exception {
    var urls = new ArrayList<URL>();
    urls.add(TOOLS.toUri().toURL());
    try (Stream<Path> jars = Files.list(LIBRARIES)) {
      for (Path jar : jars.toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    var loader = new URLClassLoader(urls.toArray(URL[]::new), KafkaServer.class.getClassLoader());
    return inside(
        loader,
        () ->
            (BiFunction<String, List<Object>, Object>)
                loader
                    .loadClass("dev.hapax.connector.kafka.KafkaDesk")
                    .getConstructor(String.class)
                    .newInstance(server));
  }

  /** The library looks for its classes by the thread. */
  private static <T> T inside(ClassLoader loader, Callable<T> code) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return code.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Returns its address: a host and a port. */
  public String server() {
    return "127.0.0.1:" + port;
  }

  /** Does something at the broker; see the class {@code KafkaDesk}. */
  public Object ask(String what, Object... arguments) {
    try {
      return inside(desk.getClass().getClassLoader(), () -> desk.apply(what, List.of(arguments)));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills the process and starts it again, with what it has acknowledged. */
  public synchronized void crash() throws Exception {
    process.destroyForcibly();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the broker does not end");
    }
    process = start();
  }

  private synchronized void end() {
    process.destroyForcibly();
    try (Stream<Path> files = Files.walk(folder)) {
      process.waitFor(10, TimeUnit.SECONDS);
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | InterruptedException e) {
      // a folder of temporary files stays
    }
  }
}
