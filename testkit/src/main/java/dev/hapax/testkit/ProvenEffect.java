package dev.hapax.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An effect in all runs of a proof.
 *
 * @param effect its name in the ledger
 * @param guard the word of its guard
 * @param keys how many business keys it had in the undisturbed run
 * @param sent how often a run sent it under one key
 * @param applied how often its destination applied it under one key
 * @param settledBy how often each way settled it: answer, late answer, key, same content, marker,
 *     lookup, person, repeat, skip, failure
 * @param reviews how often a person was asked
 */
public record ProvenEffect(
    String effect,
    String guard,
    int keys,
    Range sent,
    Range applied,
    Map<String, Integer> settledBy,
    int reviews) {

  /** The least and the most over all runs. */
  public record Range(int least, int most) {
    Range and(int number) {
      return new Range(Math.min(least, number), Math.max(most, number));
    }

    @Override
    public String toString() {
      return least == most ? Integer.toString(least) : least + "-" + most;
    }
  }

  /** Returns the ways and their numbers, for example {@code answer 12, key 3}. */
  public String settledByText() {
    List<String> ways = new ArrayList<>();
    settledBy.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .forEach(way -> ways.add(way.getKey() + " " + way.getValue()));
    return String.join(", ", ways);
  }

  /** Returns it with one more key. */
  ProvenEffect anotherKey() {
    return new ProvenEffect(effect, guard, keys + 1, sent, applied, settledBy, reviews);
  }

  /** Returns it with a run that did not send it. */
  ProvenEffect without() {
    return new ProvenEffect(effect, guard, keys, sent.and(0), applied.and(0), settledBy, reviews);
  }

  /** Returns it with what another run did to it under one key. */
  ProvenEffect and(ProofRun.Deed deed) {
    Map<String, Integer> ways = new TreeMap<>(settledBy);
    deed.settledBy().forEach(way -> ways.merge(way, 1, Integer::sum));
    return new ProvenEffect(
        effect,
        guard,
        keys,
        sent.and(deed.sent()),
        applied.and(deed.applied()),
        ways,
        reviews + deed.reviews());
  }
}
