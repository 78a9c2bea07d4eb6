package dev.hapax.bench;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The three-effect load on a store that holds a million finished runs, compared with an empty one
 * minutes before.
 */
record MillionRuns(int finished, int callers) implements Load {
  @Override
  public String name() {
    return "million.sqlite." + callers;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Callers.Outcome empty = ThreeEffects.runs(Workspace.open(workspace.file("empty.db")), callers);

    Path file = workspace.file("million.db");
    long begin = System.nanoTime();
    FinishedRuns.load(file, finished);
    System.err.printf(
        "bench:   %,d runs loaded in %.0f s%n", finished, (System.nanoTime() - begin) / 1e9);
    double bytes = Files.size(file);
    Callers.Outcome full = ThreeEffects.runs(Workspace.open(file), callers);

    double reference = empty.perSecond();
    report.add(
        Figure.of(name() + ".runs-per-s", full.perSecond(), "runs/s")
            .against(_ -> reference)
            .aims(Goal.ratioAtLeast(0.6, 0.9)));
    report.add(Figure.of(name() + ".p99-ms", full.percentileMillis(99), "ms"));
    report.add(Figure.of(name() + ".bytes-per-run", bytes / finished, "bytes on disk/run"));
  }
}
