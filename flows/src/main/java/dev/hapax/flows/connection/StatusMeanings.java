package dev.hapax.flows.connection;

import java.util.HashSet;
import java.util.Set;

/**
 * Status codes of a destination with an unusual meaning.
 *
 * @param notApplied nothing happened, and a retry may help
 * @param alreadyDone it had happened before
 * @param inFlight it is still in progress
 */
public record StatusMeanings(
    Set<Integer> notApplied, Set<Integer> alreadyDone, Set<Integer> inFlight) {
  public static final StatusMeanings USUAL = new StatusMeanings(Set.of(), Set.of(), Set.of());

  public StatusMeanings {
    notApplied = Set.copyOf(notApplied);
    alreadyDone = Set.copyOf(alreadyDone);
    inFlight = Set.copyOf(inFlight);
  }

  public StatusMeanings and(StatusMeanings other) {
    return new StatusMeanings(
        union(notApplied, other.notApplied),
        union(alreadyDone, other.alreadyDone),
        union(inFlight, other.inFlight));
  }

  private static Set<Integer> union(Set<Integer> some, Set<Integer> others) {
    var all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }
}
