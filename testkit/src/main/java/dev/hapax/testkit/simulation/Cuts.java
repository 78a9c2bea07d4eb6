package dev.hapax.testkit.simulation;

import java.util.List;

/**
 * Finds parts of a list of choices that can be left out. Only the code that drew them knows these.
 */
@FunctionalInterface
public interface Cuts {
  /** For lists whose numbers have no known meaning. */
  Cuts NONE = _ -> List.of();

  /** Returns shorter lists that may do the same, the shortest first. */
  List<List<Integer>> of(List<Integer> choices);
}
