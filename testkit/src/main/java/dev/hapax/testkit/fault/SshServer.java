package dev.hapax.testkit.fault;

import dev.hapax.json.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An OpenSSH server on a free port, with its own keys and a home folder of its own. It can be
 * killed, stopped and given another key. Safe for many threads.
 */
public final class SshServer implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

  private final Path folder;
  private final int port;
  private volatile @Nullable Process process;

  private SshServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Whether this machine has the program. */
  public static boolean isInstalled() {
    return Files.isExecutable(PROGRAM);
  }

  /** Starts a server whose files are in this folder. */
  public static SshServer start(Path folder) throws IOException, InterruptedException {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var server = new SshServer(folder, port);
    Files.createDirectories(server.home());
    makeKey(folder.resolve("user"));
    Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"));
    server.newHostKey();
    if (isRoot()) {
      Files.createDirectories(Path.of("/run/sshd")); // the program wants it to be there
    }
    Files.writeString(
        folder.resolve("sshd_config"),
        """
        Port %d
        ListenAddress 127.0.0.1
        HostKey %2$s/host
        AuthorizedKeysFile %2$s/authorized
        PidFile none
        StrictModes no
        UsePAM no
        PasswordAuthentication no
        PermitRootLogin prohibit-password
        SetEnv HOME=%2$s/home
        """
            .formatted(port, folder));
    server.start();
    return server;
  }

  /** Starts it again, with the same port and files. */
  public void start() throws IOException, InterruptedException {
    Process started =
        new ProcessBuilder(
                PROGRAM.toString(), "-D", "-e", "-f", folder.resolve("sshd_config").toString())
            .redirectErrorStream(true)
            .start();
    process = started;
    started.getOutputStream().close();
    var listening = new CountDownLatch(1);
    Thread.ofPlatform().daemon().name("sshd").start(() -> read(started, listening));
    listening.await();
    if (!started.isAlive()) {
      throw new IOException("sshd ended: " + Files.readString(log()));
    }
  }

  private void read(Process from, CountDownLatch listening) {
    try (var lines =
        new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line; (line = lines.readLine()) != null; ) {
        Files.writeString(log(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (line.contains("Server listening")) {
          listening.countDown();
        }
      }
    } catch (IOException e) {
      // It was killed.
    } finally {
      listening.countDown();
    }
  }

  private Path log() {
    return folder.resolve("sshd.log");
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void makeKey(Path file) throws IOException, InterruptedException {
    Files.deleteIfExists(file);
    Tool.must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.toString());
  }

  /** Gives it another key; it shows this key from its next start on. */
  public void newHostKey() throws IOException, InterruptedException {
    makeKey(folder.resolve("host"));
  }

  /** The fingerprint of its key. */
  public String fingerprint() throws IOException {
    String line = Files.readString(folder.resolve("host.pub"));
    int start = line.indexOf(' ') + 1;
    String blob = line.substring(start, line.indexOf(' ', start));
    byte[] digest = Digest.sha256().digest(Base64.getDecoder().decode(blob));
    return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
  }

  public int port() {
    return port;
  }

  public String user() {
    return System.getProperty("user.name");
  }

  /** The private key that may log in. */
  public String key() throws IOException {
    return Files.readString(folder.resolve("user"));
  }

  /** The home folder of the user who logs in. */
  public Path home() {
    return folder.resolve("home");
  }

  /** The folders of all jobs. */
  public List<Path> jobs() {
    Path jobs = home().resolve(".hapax/jobs");
    if (!Files.isDirectory(jobs)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(jobs)) {
      return all.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal such as STOP to the server and to the processes of its sessions. */
  public void signal(String name) throws IOException, InterruptedException {
    Process running = process;
    if (running != null) {
      for (ProcessHandle one :
          Stream.concat(
                  running.descendants().filter(SshServer::isSession), Stream.of(running.toHandle()))
              .toList()) {
        Tool.run("kill", "-" + name, Long.toString(one.pid()));
      }
    }
  }

  private static boolean isSession(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("sshd")).isPresent();
  }

  /** Kills the server and its sessions. Jobs go on. */
  public void kill() throws IOException, InterruptedException {
    signal("KILL");
    Process running = process;
    if (running != null) {
      running.waitFor();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
