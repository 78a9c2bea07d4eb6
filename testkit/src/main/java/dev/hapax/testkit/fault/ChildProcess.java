package dev.hapax.testkit.fault;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A separate JVM with the class path of this one, made to be killed. Its output is kept line by
 * line, up to the line that was flushed last before it died. Safe for many threads. Closing it ends
 * the process in any state.
 */
public final class ChildProcess implements AutoCloseable {
  /**
   * The exit code that Linux reports for a process killed by SIGKILL, and that of a simulated
   * crash.
   */
  public static final int KILLED = 137;

  private static final Duration LONGEST_REHEARSAL = Duration.ofMinutes(1);

  private final Process process;
  private final BufferedWriter input;
  private final Path errors;
  private final Thread reader;
  // Guarded by this.
  private final List<String> lines = new ArrayList<>();
  private boolean silent;

  private ChildProcess(Process process, Path errors) {
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.errors = errors;
    this.reader =
        Thread.ofPlatform().daemon().name("output of child " + process.pid()).start(this::read);
  }

  /**
   * Starts the main class. Its temporary files are in the directory, since a killed process leaves
   * them behind.
   *
   * @param options of the JVM, such as {@code -Dname=value}
   */
  public static ChildProcess start(
      Path directory, Class<?> main, List<String> options, List<String> arguments)
      throws IOException {
    return start(directory, command(directory, main, options, arguments));
  }

  /** Starts a command of {@link #command}, as it is or inside another one such as a tracer. */
  public static ChildProcess start(Path directory, List<String> command) throws IOException {
    Path errors = Files.createTempFile(directory, "child", ".err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new ChildProcess(process, errors);
  }

  /** Returns the command that {@link #start(Path, Class, List, List)} executes. */
  public static List<String> command(
      Path directory, Class<?> main, List<String> options, List<String> arguments) {
    return command(directory, main, StartCache.options(main), options, arguments);
  }

  private static List<String> command(
      Path directory,
      Class<?> main,
      List<String> classPath,
      List<String> options,
      List<String> arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Children live for a second, so startup time matters most.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + directory));
    command.addAll(classPath);
    command.addAll(options);
    command.add(main.getName());
    command.addAll(arguments);
    return List.copyOf(command);
  }

  /** Returns whether {@link #rehearse} has made a start cache for this class. */
  public static boolean isRehearsed(Class<?> main) {
    return StartCache.has(main);
  }

  /** The parent's part while a process runs. */
  @FunctionalInterface
  public interface Life {
    void of(ChildProcess child) throws IOException, InterruptedException;
  }

  /**
   * Runs a typical process of this class to its regular end, so that later processes of the class
   * start in half the time. Does nothing if that was done before. If the JVM makes no cache, later
   * processes start as they did before.
   */
  public static void rehearse(Path directory, Class<?> main, List<String> arguments, Life life)
      throws IOException, InterruptedException {
    StartCache.rehearse(
        main,
        options -> {
          List<String> command = command(directory, main, options, List.of(), arguments);
          try (ChildProcess rehearsal = start(directory, command)) {
            life.of(rehearsal);
            rehearsal.hasEndedWithin(LONGEST_REHEARSAL);
          }
        });
  }

  /** Ends the child when its parent has ended in any way. The child's main method calls it. */
  public static void endWithParent() {
    endWithParent(_ -> {});
  }

  /** Does the same, and passes the lines that the parent sends to this consumer. */
  public static void endWithParent(Consumer<String> told) {
    Thread.ofPlatform()
        .daemon()
        .name("parent")
        .start(
            () -> {
              try (var parent =
                  new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line; (line = parent.readLine()) != null; ) {
                  told.accept(line);
                }
              } catch (IOException e) {
                // The same as the end of the input.
              }
              Runtime.getRuntime().halt(1);
            });
  }

  /** Sends the child a line; returns false if the child has ended. */
  public boolean say(String line) {
    try {
      input.write(line);
      input.newLine();
      input.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits for the first line, counted from the beginning, that the predicate accepts. Fails if the
   * process ends or the time is up before.
   */
  public String awaitLine(Predicate<String> wanted, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    synchronized (this) {
      for (int next = 0; ; next++) {
        while (next == lines.size()) {
          long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
          if (silent || rest <= 0) {
            throw new IllegalStateException(
                "the awaited line did not come within " + atMost + " from " + this);
          }
          wait(rest);
        }
        if (wanted.test(lines.get(next))) {
          return lines.get(next);
        }
      }
    }
  }

  /**
   * Waits at most this long for its end, and returns whether it has ended. In that case everything
   * that it printed has been read.
   */
  public boolean hasEndedWithin(Duration time) throws InterruptedException {
    boolean ended = process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    if (ended) {
      reader.join();
    }
    return ended;
  }

  /** Waits for its end and returns its exit code. */
  public int awaitExit(Duration atMost) throws InterruptedException {
    if (!hasEndedWithin(atMost)) {
      throw new IllegalStateException("it did not end within " + atMost + ": " + this);
    }
    return process.exitValue();
  }

  /**
   * Ends it with SIGKILL and returns its exit code, which differs from {@link #KILLED} if it had
   * ended by itself.
   */
  public int kill() throws InterruptedException {
    sendKill();
    process.waitFor();
    reader.join();
    return process.exitValue();
  }

  /**
   * Stops all its threads at once, like a machine that hangs, until it is thawed; returns false if
   * it has ended.
   */
  public boolean freeze() throws IOException, InterruptedException {
    return Tool.run("kill", "-STOP", Long.toString(process.pid())).isDone();
  }

  /** Lets it continue as if no time had passed. */
  public void thaw() throws IOException, InterruptedException {
    Tool.must("kill", "-CONT", Long.toString(process.pid()));
  }

  public long pid() {
    return process.pid();
  }

  /** Returns the lines printed so far. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  public Optional<String> firstLine(Predicate<String> wanted) {
    return lines().stream().filter(wanted).findFirst();
  }

  @Override
  public void close() {
    sendKill();
  }

  /**
   * Sends SIGKILL and does not wait: no system call of the process returns to it any more. Kills
   * from the inside out, since a killed tracer releases the process that it traces, which would
   * live on.
   */
  public void sendKill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = output.readLine()) != null; ) {
        keep(line);
      }
    } catch (IOException e) {
      keep("its output ended with " + e);
    } finally {
      synchronized (this) {
        silent = true;
        notifyAll();
      }
    }
  }

  private synchronized void keep(String line) {
    lines.add(line);
    notifyAll();
  }

  @Override
  public String toString() {
    List<String> printed = lines();
    List<String> last = printed.subList(Math.max(0, printed.size() - 20), printed.size());
    String state = process.isAlive() ? "alive" : "ended with " + process.exitValue();
    return "child %d (%s), last lines:%n%s%nerrors:%n%s"
        .formatted(process.pid(), state, String.join("\n", last), errorText());
  }

  private String errorText() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
