package dev.hapax.testkit.simulation;

import dev.hapax.testkit.promise.Evidence;
import java.util.List;

/**
 * The outcome of a simulation.
 *
 * @param broken promises, with how; empty if all were kept
 * @param choices that lead there again
 */
public record SimulationResult(
    List<String> broken,
    Evidence evidence,
    Trace trace,
    Tally tally,
    List<Integer> choices,
    int turns) {

  /** Returns the name of the promise that was broken first; empty if none was. */
  public String killer() {
    return broken.isEmpty() ? "" : broken.getFirst().substring(0, broken.getFirst().indexOf(':'));
  }

  boolean breaks(String promise) {
    return broken.stream().anyMatch(how -> how.startsWith(promise + ":"));
  }
}
