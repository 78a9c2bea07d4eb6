package dev.hapax.testkit.mutant;

import java.util.List;

/** A test that a seed varies, such as a simulation. */
@FunctionalInterface
public interface Seeds {
  /**
   * Returns what this seed found to be broken, each as {@code checker: how}; empty if nothing is.
   */
  List<String> broken(long seed);
}
