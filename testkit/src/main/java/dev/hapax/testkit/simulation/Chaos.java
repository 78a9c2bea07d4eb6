package dev.hapax.testkit.simulation;

import java.time.Duration;

/** What befalls the machine: crashes at any turn, closing, clocks that are set, suspension. */
final class Chaos {
  private static final int MOST_CRASHES = 6;

  private final Machine machine;
  private final SimulatedStore.Simulated with;
  private int crashes;
  private int nextTurn;

  Chaos(Machine machine, SimulatedStore.Simulated with) {
    this.machine = machine;
    this.with = with;
    aim();
  }

  /** Looks whether this is the turn. */
  void strike() {
    if (with.scheduler().turns() < nextTurn) {
      return;
    }
    aim();
    if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.NODE_CRASHES)) {
      crashes++;
      machine.crash();
    } else if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.NODE_CLOSES)) {
      crashes++;
      machine.close();
    } else if (with.swarm().strikes(Fault.CLOCK_FORWARD)) {
      set(hoursOrDays());
    } else if (with.swarm().strikes(Fault.CLOCK_BACK)) {
      set(hoursOrDays().negated());
    } else if (with.swarm().strikes(Fault.MACHINE_SUSPENDED)) {
      with.scheduler().suspend(hoursOrDays());
    }
  }

  private void set(Duration by) {
    with.trace().say(with.scheduler().nanos(), () -> "the clock is set by " + by);
    machine.clock().jump(by);
  }

  private void aim() {
    nextTurn = with.scheduler().turns() + 1 + with.choices().below(120);
  }

  private Duration hoursOrDays() {
    Duration unit =
        with.choices().oneOf(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(1));
    return unit.multipliedBy(1L + with.choices().below(5));
  }
}
