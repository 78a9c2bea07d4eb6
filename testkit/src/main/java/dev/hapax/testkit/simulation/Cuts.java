package dev.hapax.testkit.simulation;

import java.util.List;

/** What can be taken out of a list of choices, known to the one who drew them. */
@FunctionalInterface
public interface Cuts {
  /** Where nothing is known of what the numbers mean. */
  Cuts NONE = _ -> List.of();

  /** Shorter lists that may do the same, the shortest first. */
  List<List<Integer>> of(List<Integer> choices);
}
