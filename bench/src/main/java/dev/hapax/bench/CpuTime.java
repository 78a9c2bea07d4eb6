package dev.hapax.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Processor time as Linux counts it in {@code /proc}. */
final class CpuTime {
  private static final long NANOS_PER_TICK = 10_000_000;
  private static final int USER = 11; // after the name of the program, which may contain spaces
  private static final int SYSTEM_OF_ENDED_CHILDREN = 14;

  private CpuTime() {}

  /** Returns the time that a process and all processes below it have used, ended ones included. */
  static long nanos(long pid) {
    ProcessHandle process =
        ProcessHandle.of(pid)
            .orElseThrow(() -> new IllegalStateException("process " + pid + " has ended"));
    long below = process.descendants().mapToLong(CpuTime::ticksUnlessEnded).sum();
    try {
      return NANOS_PER_TICK * (below + ticks(Files.readString(stat(process))));
    } catch (IOException e) {
      throw new UncheckedIOException("processor time is read from /proc, which only Linux has", e);
    }
  }

  private static long ticksUnlessEnded(ProcessHandle process) {
    try {
      return ticks(Files.readString(stat(process)));
    } catch (IOException e) {
      return 0; // its parent counts it from now on
    }
  }

  private static Path stat(ProcessHandle process) {
    return Path.of("/proc", Long.toString(process.pid()), "stat");
  }

  /** Adds user and system time of the process itself and of its children that have ended. */
  static long ticks(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int i = USER; i <= SYSTEM_OF_ENDED_CHILDREN; i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks;
  }
}
