package dev.hapax.testkit.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes system calls of a child fail, lie or kill it, for the calls that touch certain files. Calls
 * are counted per thread, which is exact for a store that one thread writes to. A test must check
 * {@link #injected}: a run in which nothing was injected proves nothing.
 *
 * @param trace where strace writes what it did
 * @param files the only ones whose calls are touched
 * @param calls such as {@code fsync,fdatasync}
 * @param injection what happens to them, in the words of strace
 */
public record Strace(Path trace, List<Path> files, String calls, String injection) {
  /** All calls by which data reaches a file and its disk; drivers differ in which sync they use. */
  public static final String WRITES = "pwrite64";

  public static final String SYNCS = "fsync,fdatasync";

  private static final String MARK = "(INJECTED)";
  private static final String KILLED = "+++ killed by SIGKILL";

  public Strace {
    files = List.copyOf(files);
  }

  /** Fails these calls with an error, such as {@code EIO} at the calls {@code 8} or {@code 8+}. */
  public static Strace failing(
      Path trace, List<Path> files, String calls, String error, String when) {
    return new Strace(trace, files, calls, "error=" + error + ":when=" + when);
  }

  /** Simulates a disk that reports a sync that it has not done. */
  public static Strace lying(Path trace, List<Path> files) {
    return new Strace(trace, files, SYNCS, "retval=0");
  }

  /** Sends SIGKILL at the nth write or sync of a thread, before it is carried out. */
  public static Strace killing(Path trace, List<Path> files, int nth) {
    return new Strace(trace, files, WRITES + "," + SYNCS, "signal=SIGKILL:when=" + nth);
  }

  /** Returns why this machine cannot trace; null if it can. */
  public static @Nullable String obstacle() throws IOException, InterruptedException {
    Tool.Result result = Tool.run("strace", "-f", "-qq", "-e", "trace=fsync", "true");
    return result.isDone() ? null : "strace cannot be used here: " + result.said();
  }

  /** Returns the command that executes this one under strace. */
  public List<String> around(List<String> command) {
    var traced = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", trace.toString()));
    if (!injection.startsWith("signal=")) {
      traced.add("--seccomp-bpf"); // many times faster, but signals are silently left out with it
    }
    for (Path file : files) {
      traced.addAll(List.of("-P", file.toString()));
    }
    traced.addAll(List.of("-e", "trace=" + calls, "-e", "inject=" + calls + ":" + injection));
    traced.addAll(command);
    return traced;
  }

  /** Returns how many calls were touched, once the child has ended. */
  public long injected() throws IOException {
    try (Stream<String> lines = Files.lines(trace)) {
      String mark = injection.startsWith("signal=") ? KILLED : MARK;
      return lines.filter(line -> line.contains(mark)).count();
    }
  }
}
