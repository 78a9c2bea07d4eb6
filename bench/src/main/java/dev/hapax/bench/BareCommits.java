package dev.hapax.bench;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures single-row SQLite commits per second, the reference of the ratios. A machine's disk has
 * better and worse minutes, so it is sampled before and after every load, and the mean counts.
 */
final class BareCommits {
  static final String NAME = "bare.sqlite.commits-per-s";

  private static final Duration TIME = Duration.ofSeconds(2);

  private final Path folder;
  private final List<Double> samples = new ArrayList<>();

  BareCommits(Path folder) {
    this.folder = folder;
  }

  void sample() throws SQLException {
    try (var rows = new BareLimits.Rows(folder.resolve("commits.db"), 1)) {
      if (samples.isEmpty()) {
        rows.perSecond(TIME); // warm-up
      }
      samples.add(rows.perSecond(TIME));
    }
    System.err.printf("bench:   %s: %s now%n", NAME, Report.number(samples.getLast()));
  }

  double mean() {
    return samples.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  Figure figure() {
    return Figure.of(NAME, mean(), "commits/s");
  }
}
