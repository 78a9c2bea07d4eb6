package dev.hapax.testkit.fault;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The faults of the {@link Sink}, by chance from a seed. The fault of a request depends on the
 * seed, the key and how often the key has come, and not on which thread came first, so the same
 * seed makes the same faults.
 *
 * @param lost share of requests that are applied and never answered
 * @param broken share that is applied and answered with an error
 * @param refused share that is refused before anything is applied
 * @param delayed share that is applied and answered late
 * @param first fault of the first request of each key that changes something, regardless of chance
 */
public record SinkFaults(
    long seed, double lost, double broken, double refused, double delayed, First first) {

  /** The fault of one request. */
  public enum Fault {
    NONE,
    LOST,
    BROKEN,
    REFUSED,
    DELAYED
  }

  /** The fault of the first request of each key. */
  public enum First {
    BY_CHANCE,
    LOST,
    REFUSED
  }

  public static SinkFaults none() {
    return new SinkFaults(0, 0, 0, 0, 0, First.BY_CHANCE);
  }

  public SinkFaults first(First meets) {
    return new SinkFaults(seed, lost, broken, refused, delayed, meets);
  }

  /**
   * Returns the fault of a request.
   *
   * @param ordinal 1 for the first request of this key
   */
  public Fault of(String what, String key, int ordinal) {
    if (ordinal == 1 && first != First.BY_CHANCE) {
      return first == First.LOST ? Fault.LOST : Fault.REFUSED;
    }
    double chance = new SplittableRandom(seed * 31 + Objects.hash(what, key, ordinal)).nextDouble();
    for (Share share : shares()) {
      if (chance < share.size) {
        return share.fault;
      }
      chance -= share.size;
    }
    return Fault.NONE;
  }

  private List<Share> shares() {
    return List.of(
        new Share(lost, Fault.LOST),
        new Share(broken, Fault.BROKEN),
        new Share(refused, Fault.REFUSED),
        new Share(delayed, Fault.DELAYED));
  }

  private record Share(double size, Fault fault) {}

  /** Returns it as one word, for the command line of a process. */
  public String word() {
    return "%d,%s,%s,%s,%s,%s".formatted(seed, lost, broken, refused, delayed, first);
  }

  public static SinkFaults of(String word) {
    List<String> part = List.of(word.split(",", -1));
    return new SinkFaults(
        Long.parseLong(part.get(0)),
        Double.parseDouble(part.get(1)),
        Double.parseDouble(part.get(2)),
        Double.parseDouble(part.get(3)),
        Double.parseDouble(part.get(4)),
        First.valueOf(part.get(5)));
  }
}
