package dev.hapax.app.release;

import java.util.List;
import java.util.Map;

/**
 * Runs of a release that have not ended.
 *
 * @param atLeast whether there may be more that were not counted
 */
public record OpenRuns(int release, int open, boolean atLeast) {
  /** Counting all runs of a large flow would take long, and the exact number does not matter. */
  static final int MOST_COUNTED = 1_000;

  static List<OpenRuns> of(Map<Integer, Integer> byRelease) {
    boolean isCut = byRelease.values().stream().mapToInt(Integer::intValue).sum() >= MOST_COUNTED;
    return byRelease.entrySet().stream()
        .map(runs -> new OpenRuns(runs.getKey(), runs.getValue(), isCut))
        .toList();
  }
}
