package dev.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * Callers on virtual threads, each repeating one call; calls that ended after the warm-up are
 * counted.
 */
record Callers(int count, Duration warmUp, Duration time) {
  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** The repeated action of a caller. */
  @FunctionalInterface
  interface Call {
    void once() throws Exception;
  }

  /** The counts. */
  static final class Outcome {
    private final long all;
    private final long[] sortedNanos;
    private final Duration time;
    private final long cpuNanos;

    private Outcome(List<One> callers, Duration time, long cpuNanos) {
      this.all = callers.stream().mapToLong(One::all).sum();
      this.sortedNanos = callers.stream().flatMapToLong(One::nanos).sorted().toArray();
      this.time = time;
      this.cpuNanos = cpuNanos;
    }

    private Outcome(List<Outcome> turns) {
      this.all = turns.stream().mapToLong(Outcome::all).sum();
      this.sortedNanos =
          turns.stream().flatMapToLong(turn -> LongStream.of(turn.sortedNanos)).sorted().toArray();
      this.time = turns.stream().map(turn -> turn.time).reduce(Duration.ZERO, Duration::plus);
      this.cpuNanos = turns.stream().mapToLong(turn -> turn.cpuNanos).sum();
    }

    /** Combines several turns of the same callers into one. */
    static Outcome together(List<Outcome> turns) {
      return new Outcome(turns);
    }

    /** Returns the calls that ended, also during the warm-up and after the time. */
    long all() {
      return all;
    }

    double perSecond() {
      return sortedNanos.length * 1e9 / time.toNanos();
    }

    /** CPU of the whole process; it varies less than the pace if the machine has other work. */
    double cpuMicrosPerCall() {
      return cpuNanos / 1e3 / sortedNanos.length;
    }

    double percentileMillis(double percent) {
      int place = (int) Math.ceil(sortedNanos.length * percent / 100) - 1;
      return sortedNanos[Math.max(place, 0)] / 1e6;
    }
  }

  private record One(long all, LongStream nanos) {}

  Outcome call(Call call) throws InterruptedException, ExecutionException {
    long from = System.nanoTime() + warmUp.toNanos();
    long until = from + time.toNanos();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<One>> callers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        callers.add(threads.submit(() -> callUntil(call, from, until)));
      }
      long cpuNanos = cpuBetween(from, until);
      List<One> counted = new ArrayList<>();
      for (Future<One> caller : callers) {
        counted.add(caller.get());
      }
      return new Outcome(counted, time, cpuNanos);
    }
  }

  private static long cpuBetween(long from, long until) throws InterruptedException {
    Thread.sleep(Duration.ofNanos(from - System.nanoTime()));
    long before = PROCESS.getProcessCpuTime();
    Thread.sleep(Duration.ofNanos(until - System.nanoTime()));
    return PROCESS.getProcessCpuTime() - before;
  }

  private static One callUntil(Call call, long from, long until) throws Exception {
    long all = 0;
    var nanos = LongStream.builder();
    while (true) {
      long start = System.nanoTime();
      if (start - until >= 0) {
        return new One(all, nanos.build());
      }
      call.once();
      all++;
      long end = System.nanoTime();
      if (end - from >= 0 && end - until < 0) {
        nanos.add(end - start);
      }
    }
  }
}
