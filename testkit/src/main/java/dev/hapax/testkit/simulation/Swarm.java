package dev.hapax.testkit.simulation;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * The faults of one seed. Each seed draws a subset and a rate for each: faults that always come
 * together hide one another, and a seed without crashes reaches code that one full of them never
 * does.
 */
final class Swarm {
  private final Choices choices;
  private final Tally tally;
  private final Map<Fault, Integer> perMille = new EnumMap<>(Fault.class);
  private boolean over;

  private Swarm(Choices choices, Tally tally) {
    this.choices = choices;
    this.tally = tally;
  }

  /** Draws a subset, and a rate for each, by the choices. */
  static Swarm draw(Set<Fault> faults, Choices choices, Tally tally) {
    var swarm = new Swarm(choices, tally);
    for (Fault fault : faults) {
      swarm.perMille.put(
          fault,
          fault == Fault.STANDBY_TAKES_OVER
              ? choices.oneOf(0, 0, 0, 0, 0, 0, 80, 250) // what is lost then is not judged
              : choices.oneOf(0, 0, 30, 80, 250) / (isGrave(fault) ? 10 : 1));
    }
    return swarm;
  }

  /** Makes a fault at least this frequent. */
  Swarm raise(Fault fault, int least) {
    perMille.merge(fault, least, Math::max);
    return this;
  }

  /** Returns a swarm of exactly these faults. */
  static Swarm of(Map<Fault, Integer> perMille, Choices choices, Tally tally) {
    var swarm = new Swarm(choices, tally);
    swarm.perMille.putAll(perMille);
    return swarm;
  }

  /**
   * Whether the fault is rare: a fault that ends a process at every other commit leaves no room for
   * others.
   */
  private static boolean isGrave(Fault fault) {
    return fault == Fault.STORE_BROKEN || fault == Fault.STORE_FULL || fault == Fault.ENGINE_ERROR;
  }

  /** Whether it can happen in this seed. */
  boolean has(Fault fault) {
    return perMille.getOrDefault(fault, 0) > 0;
  }

  /** Whether it happens, here and now. */
  boolean strikes(Fault fault) {
    boolean now = !over && choices.chance(perMille.getOrDefault(fault, 0));
    if (now) {
      tally.count("fault " + fault);
    }
    return now;
  }

  /** Stops all faults. A run that does not end from now on is our own fault. */
  void stop() {
    over = true;
  }
}
