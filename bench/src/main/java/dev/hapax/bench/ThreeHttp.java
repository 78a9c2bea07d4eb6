package dev.hapax.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The load three-http: workflows of three HTTP steps to the shop, which is a separate process.
 *
 * @param place where the runs are stored, for the names of the figures
 */
record ThreeHttp(String place, String peer, ShopProcess shop, Rotation turns, Report report) {
  private static final int[] CALLERS = {1, 32, 256};

  /** The compiler must have done its work before processor time is counted, also for one caller. */
  private static final int FIRST_CALLERS = 32;

  /** A part of the processor time of a run. */
  record Cpu(String figure, ToDoubleFunction<Rotation.Done> microsPerRun) {
    /** The time of the processes whose time in nanoseconds is the contestant's meter. */
    static Cpu metered(String figure) {
      return new Cpu(figure, done -> done.metered() / 1e3 / done.outcome().all());
    }
  }

  void measure(Rotation.Contestant theirs, Rotation.Contestant ours, List<Cpu> parts)
      throws Exception {
    turns.warmUp(FIRST_CALLERS, List.of(theirs, ours));
    for (int callers : CALLERS) {
      measure(callers, List.of(theirs, ours), parts);
    }
  }

  private void measure(int callers, List<Rotation.Contestant> both, List<Cpu> parts)
      throws Exception {
    turns.warmUp(callers, both);
    long before = shop.requests();
    List<Rotation.Done> done = turns.measure(callers, both);
    double requests = shop.requests() - before;

    Rotation.Done theirs = done.getFirst();
    Rotation.Done ours = done.getLast();
    String name = "three-http.%s.%d.".formatted(place, callers);
    beside(name + "runs-per-s", "runs/s", ours, theirs, one -> one.outcome().perSecond());
    beside(name + "p50-ms", "ms", ours, theirs, one -> one.outcome().percentileMillis(50));
    beside(name + "p99-ms", "ms", ours, theirs, one -> one.outcome().percentileMillis(99));
    for (Cpu part : parts) {
      beside(name + part.figure(), "us of CPU/run", ours, theirs, part.microsPerRun());
    }
    double runs = ours.outcome().all() + theirs.outcome().all();
    report.add(Figure.of(name + "requests-per-run", requests / runs, "requests of both"));
    double pace = ours.outcome().perSecond() / theirs.outcome().perSecond();
    report.add(Figure.of(name + "ratio-to-" + peer, pace, "x"));
  }

  private void beside(
      String name,
      String unit,
      Rotation.Done ours,
      Rotation.Done theirs,
      ToDoubleFunction<Rotation.Done> value) {
    double reference = value.applyAsDouble(theirs);
    report.add(Figure.of(name, value.applyAsDouble(ours), unit).against(_ -> reference));
  }
}
