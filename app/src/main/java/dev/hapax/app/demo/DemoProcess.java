package dev.hapax.app.demo;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A child process that is started again whenever it ends, as a service manager would do. It ends
 * with this process, which closes its standard input. Safe for many threads.
 */
final class DemoProcess implements AutoCloseable {
  private static final int MOST_FAILED_STARTS = 3;
  private static final long CLOSE_SECONDS = 10;

  /**
   * Less to warm up on a small machine, and no wait of 40 ms between the head and the body of a
   * small answer.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Djdk.httpclient.disableRetryConnect=true",
          "-Dsun.net.httpserver.nodelay=true");

  private final String name;
  private final List<String> command;
  private final Path log;
  private final Watcher watcher;
  private volatile @Nullable Process process;
  private volatile @Nullable URI address;
  private volatile boolean givenUp;
  private volatile boolean closing;

  /** Is notified when the child is ready or has ended. */
  interface Watcher {
    void ready(String name, long pid);

    void ended(String name, long pid, int exit);
  }

  DemoProcess(
      String name, Class<?> main, DemoFolder folder, List<String> arguments, Watcher watcher) {
    this.name = name;
    this.command = command(main, folder, arguments);
    this.log = folder.logOf(name);
    this.watcher = watcher;
  }

  private static List<String> command(Class<?> main, DemoFolder folder, List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.add(folder.path().toString());
    command.addAll(arguments);
    return command;
  }

  DemoProcess start() {
    Thread.ofPlatform().daemon().name("demo-" + name).start(this::keepAlive);
    return this;
  }

  private void keepAlive() {
    int failedStarts = 0;
    try {
      while (!closing && failedStarts < MOST_FAILED_STARTS) {
        failedStarts = live() ? 0 : failedStarts + 1;
      }
    } catch (IOException | InterruptedException e) {
      // a process that cannot even start is given up like one that ends at once
    }
    givenUp = true;
  }

  /** Runs the process from start to end; returns whether it was ever ready. */
  private boolean live() throws IOException, InterruptedException {
    Process born =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    process = born;
    if (closing) {
      born.destroyForcibly();
    }
    String ready = readLine(born);
    if (ready != null) {
      address = URI.create(ready);
      watcher.ready(name, born.pid());
    }
    int exit = born.waitFor();
    address = null;
    if (!closing) {
      watcher.ended(name, born.pid(), exit);
    }
    return ready != null;
  }

  private static @Nullable String readLine(Process born) {
    try {
      return born.inputReader().readLine();
    } catch (IOException e) {
      return null; // killed while it started
    }
  }

  /** Returns where it listens, or null while it is not up. */
  @Nullable URI address() {
    return address;
  }

  /** Throws if the child cannot be started. */
  void refuseIfGivenUp() {
    if (givenUp) {
      throw new IllegalStateException("the %s did not start; %s says why".formatted(name, log));
    }
  }

  /** Sends SIGKILL: no hook, no flush. */
  void kill() {
    Process victim = process;
    if (victim != null) {
      victim.destroyForcibly();
    }
  }

  @Override
  public void close() throws IOException {
    closing = true;
    Process last = process;
    if (last == null) {
      return;
    }
    try {
      last.getOutputStream().close();
      if (!last.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        last.destroyForcibly();
      }
    } catch (InterruptedException e) {
      last.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the " + name + " closed");
    }
  }
}
