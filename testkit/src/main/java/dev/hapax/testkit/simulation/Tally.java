package dev.hapax.testkit.simulation;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts how often each point was reached. Not safe for several threads: each simulation has its
 * own.
 */
public final class Tally {
  private final SortedMap<String, Long> counts = new TreeMap<>();

  /** Counts that this point was reached. */
  public void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  public void add(Tally other) {
    other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
  }

  public long of(String what) {
    return counts.getOrDefault(what, 0L);
  }

  public Map<String, Long> counts() {
    return counts;
  }
}
