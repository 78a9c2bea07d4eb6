package dev.hapax.testkit.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server for the tests, on a free port of 127.0.0.1. Uses the installed binaries,
 * else those on the class path. As root the server runs as another user, because it refuses to be
 * root. A server that a killed earlier run of the same checkout left behind is stopped, by its
 * process id, before another server starts.
 */
public final class PostgresServer implements AutoCloseable {
  private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
  private static final String ON_CLASS_PATH = "/postgres-linux-x86_64.txz";
  private static final String USER = "hapax";
  private static final int TRIES = 5;

  private static @Nullable PostgresServer shared;

  private final Path folder;
  private final Path bin;
  private final List<String> asUser;
  private final AtomicInteger databases = new AtomicInteger();
  private int port;

  private PostgresServer(Path folder, Path bin, List<String> asUser) {
    this.folder = folder;
    this.bin = bin;
    this.asUser = asUser;
  }

  /** How much of the acknowledged data survives a crash of the machine. */
  public enum Durability {
    /** Nothing: fast, for servers that never crash. */
    NONE,
    /** All, as in production. */
    FULL
  }

  /** Returns the one server of this process, without durability. It stops when the process ends. */
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      shared = start(Durability.NONE);
    }
    return shared;
  }

  /** Returns why this machine cannot have a server; null if it can. */
  public static @Nullable String obstacle() {
    return installed().isPresent() || PostgresServer.class.getResource(ON_CLASS_PATH) != null
        ? null
        : "no PostgreSQL is installed below " + INSTALLED + ", and none is on the class path";
  }

  /** Starts another server, for tests that disturb it. */
  public static PostgresServer start(Durability durability) {
    return start(durability, Map.of());
  }

  /**
   * Starts one with more settings, as they are written in the server's configuration: {@code
   * work_mem}, {@code '8MB'}.
   */
  public static PostgresServer start(Durability durability, Map<String, String> settings) {
    try {
      Path home = home();
      stopLeftovers(home);
      Path process = home.resolve(String.valueOf(ProcessHandle.current().pid()));
      Path folder = Files.createTempDirectory(Files.createDirectories(process), "server");
      List<String> asUser = asUser();
      Path bin = installed().orElse(null);
      if (bin == null || Boolean.getBoolean("hapax.postgres.embedded")) {
        bin = unpack(home);
      }
      var server = new PostgresServer(folder, bin, asUser);
      server.initialize();
      server.listen(durability, settings);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-postgres"));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server started", e);
    }
  }

  /**
   * Starts a standby that follows this server from now on, under the name {@code standby}. It
   * begins with a copy of the files, for which this server stops for a moment.
   */
  public PostgresServer standby() {
    try {
      Path beside = Files.createTempDirectory(folder.getParent(), "standby");
      var standby = new PostgresServer(beside, bin, asUser);
      control("-m", "fast", "stop");
      Tool.must("cp", "-a", data().toString(), beside.toString());
      restart();
      standby.follow(port);
      Runtime.getRuntime().addShutdownHook(new Thread(standby::close, "stop-standby"));
      return standby;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a standby started", e);
    }
  }

  private void follow(int primary) throws IOException, InterruptedException {
    Files.createFile(data().resolve("standby.signal"));
    if (!asUser.isEmpty()) {
      Tool.must("chown", "-R", asUser.getLast(), folder.toString());
    }
    port = freePort();
    Files.writeString(
        data().resolve("postgresql.auto.conf"),
        """
        port = %d
        unix_socket_directories = '%s'
        primary_conninfo = 'host=127.0.0.1 port=%d user=%s application_name=standby'
        """
            .formatted(port, folder, primary, USER),
        StandardOpenOption.APPEND); // the last line about a setting counts
    restart();
  }

  /** Copies the files of this server, for which it stops for a moment. */
  public Path copy() {
    try {
      Path copy = Files.createTempDirectory(folder, "copy");
      control("-m", "fast", "stop");
      Tool.must("cp", "-a", data().toString(), copy.toString());
      restart();
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server was copied", e);
    }
  }

  /** Puts an earlier {@link #copy} in the place of the files; all that came after it is lost. */
  public void setBackTo(Path copy) {
    try {
      crash();
      delete(data());
      Tool.must("cp", "-a", copy.resolve("data").toString(), folder.toString());
      restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a server was set back", e);
    }
  }

  /** Promotes a standby to a separate primary. */
  public void promote() {
    control("promote");
  }

  /** Creates an empty database and returns its JDBC address. */
  public String newDatabase() {
    String name = "db" + databases.incrementAndGet();
    try {
      PostgresCommand.run(port, USER, "CREATE DATABASE " + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s".formatted(port, name, USER);
  }

  public int port() {
    return port;
  }

  /** Returns the id of the process that listens. */
  public long pid() {
    return pid(data()).orElseThrow(() -> new IllegalStateException("the server does not run"));
  }

  /** Returns the server's log. */
  public Path log() {
    return folder.resolve("log");
  }

  /**
   * Ends all server processes at once, without a checkpoint: data that is not in the WAL is lost.
   */
  public void crash() {
    control("-m", "immediate", "stop");
  }

  /** Starts the server after {@link #crash}, on the same port. */
  public void restart() {
    control("-l", log().toString(), "start");
  }

  /** Stops the server and deletes its data. */
  @Override
  public void close() {
    try {
      if (pid(data()).isPresent()) {
        crash();
      }
      delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data() {
    return folder.resolve("data");
  }

  private void initialize() throws IOException, InterruptedException {
    if (!asUser.isEmpty()) {
      Tool.must("chown", "-R", asUser.getLast(), folder.toString());
    }
    List<String> initdb = new ArrayList<>(List.of(bin.resolve("initdb").toString(), "-D"));
    initdb.addAll(List.of(data().toString(), "-A", "trust", "-U", USER, "-E", "UTF8"));
    initdb.addAll(List.of("--locale=C.UTF-8", "-N"));
    must(initdb.toArray(String[]::new));
  }

  /**
   * Starts listening. A port that is free now may be taken a moment later; then another one is
   * tried.
   */
  private void listen(Durability durability, Map<String, String> settings) throws IOException {
    String safe = durability == Durability.FULL ? "on" : "off";
    var more = new StringBuilder();
    settings.forEach((name, value) -> more.append(name).append(" = ").append(value).append('\n'));
    for (int tries = 1; ; tries++) {
      port = freePort();
      Files.writeString(
          data().resolve("postgresql.auto.conf"),
          """
          port = %d
          listen_addresses = '127.0.0.1'
          unix_socket_directories = '%s'
          max_connections = 300
          fsync = %s
          full_page_writes = %s
          """
                  .formatted(port, folder, safe, safe)
              + more);
      try {
        restart();
        return;
      } catch (IllegalStateException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void control(String... what) {
    List<String> command = new ArrayList<>(List.of(bin.resolve("pg_ctl").toString(), "-D"));
    command.addAll(List.of(data().toString(), "-w", "-s"));
    command.addAll(List.of(what));
    must(command.toArray(String[]::new));
  }

  private void must(String... command) {
    List<String> whole = new ArrayList<>(asUser.isEmpty() ? List.of() : switchTo(asUser));
    whole.addAll(List.of(command));
    try {
      // Its output goes to a file: the server inherits it, and would keep a pipe open.
      Path said = Files.createTempFile("hapax-postgres", ".log");
      Process process =
          new ProcessBuilder(whole)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      int exit = process.waitFor();
      String text = Files.readString(said);
      Files.delete(said);
      if (exit != 0) {
        throw new IllegalStateException("%s ended with %d: %s".formatted(whole, exit, text));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + whole, e);
    }
  }

  /** Returns the server's user if we are root; otherwise the server runs as our user. */
  private static List<String> asUser() throws IOException, InterruptedException {
    if (!"0".equals(Tool.run("id", "-u").said())) {
      return List.of();
    }
    return List.of(Tool.run("id", "-u", "postgres").isDone() ? "postgres" : "nobody");
  }

  private static List<String> switchTo(List<String> user) {
    return List.of("setpriv", "--reuid=" + user.getLast(), "--clear-groups", "--");
  }

  private static Optional<Path> installed() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(INSTALLED)) {
      return versions
          .filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
          .max(
              Comparator.comparing(
                  version -> Integer.valueOf(String.valueOf(version.getFileName()))))
          .map(version -> version.resolve("bin"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path unpack(Path home) throws IOException, InterruptedException {
    Path unpacked = home.resolve("binaries");
    if (Files.isExecutable(unpacked.resolve("bin/initdb"))) {
      return unpacked.resolve("bin");
    }
    Path part = Files.createTempDirectory(home, "unpacking");
    Path archive = part.resolve("archive.txz");
    try (InputStream in = PostgresServer.class.getResourceAsStream(ON_CLASS_PATH)) {
      if (in == null) {
        throw new IOException(obstacle());
      }
      Files.copy(in, archive);
    }
    Tool.must("tar", "-xJf", archive.toString(), "-C", part.toString());
    Files.delete(archive);
    Tool.must("chmod", "-R", "a+rX", part.toString());
    if (!Tool.run("mv", "-T", part.toString(), unpacked.toString()).isDone()) {
      delete(part); // another process was faster
    }
    return unpacked.resolve("bin");
  }

  /**
   * Returns one folder per checkout, so that a run finds the leftovers of its killed predecessor.
   */
  private static Path home() throws IOException, InterruptedException {
    Path checkout = Path.of("").toAbsolutePath();
    while (checkout.getParent() != null && Files.exists(checkout.resolveSibling("pom.xml"))) {
      checkout = checkout.getParent();
    }
    String name = HexFormat.of().toHexDigits(checkout.toString().hashCode());
    Path home =
        Files.createDirectories(
            Path.of(System.getProperty("java.io.tmpdir"), "hapax-postgres-" + name));
    Tool.must("chmod", "755", home.toString());
    return home;
  }

  /** One process at a time: two that start together find the same folders. */
  private static synchronized void stopLeftovers(Path home) throws IOException {
    try (var lock =
            FileChannel.open(
                home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var _ = lock.lock()) {
      List<Path> left;
      try (Stream<Path> processes = Files.list(home)) {
        left = processes.filter(PostgresServer::isLeft).toList();
      }
      for (Path process : left) {
        try (Stream<Path> servers = Files.list(process)) {
          servers.forEach(server -> stopLeftover(server.resolve("data")));
        }
        delete(process);
      }
    }
  }

  private static boolean isLeft(Path process) {
    String name = String.valueOf(process.getFileName());
    return name.matches("[0-9]+") && ProcessHandle.of(Long.parseLong(name)).isEmpty();
  }

  /** Stops that process only if it is a server of this folder: process ids are used again. */
  private static void stopLeftover(Path data) {
    pid(data)
        .flatMap(ProcessHandle::of)
        .filter(process -> process.info().commandLine().orElse("").contains(data.toString()))
        .ifPresent(
            process -> {
              process.destroy();
              process.onExit().join();
            });
  }

  private static Optional<Long> pid(Path data) {
    Path file = data.resolve("postmaster.pid");
    try {
      return Files.exists(file)
          ? Optional.of(Long.valueOf(Files.readAllLines(file).getFirst().strip()))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
