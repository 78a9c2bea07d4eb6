package dev.hapax.testkit.simulation;

import java.time.Duration;

/** Faults of the machines: crashes at any turn, closing, clocks that are set, suspension. */
final class Chaos {
  private static final int MOST_CRASHES = 6;

  /** In seconds: two nodes differ by less than the margin that the engine leaves in windows. */
  private static final int MOST_DIFFERENCE = 20;

  private final Machines machines;
  private final SimulatedStore.Simulated with;
  private final Runnable failOver;
  private final Runnable cancel;
  private int crashes;
  private boolean failedOver;
  private int nextTurn;

  /**
   * Creates faults for these machines.
   *
   * @param failOver lets a standby of the store take over
   * @param cancel asks some node to cancel some run
   */
  Chaos(Machines machines, SimulatedStore.Simulated with, Runnable failOver, Runnable cancel) {
    this.cancel = cancel;
    this.machines = machines;
    this.with = with;
    this.failOver = failOver;
    aim();
  }

  /** Creates faults for machines on one store whose runs are never canceled. */
  Chaos(Machines machines, SimulatedStore.Simulated with) {
    this(machines, with, () -> {}, () -> {});
  }

  /** Strikes if this is the turn. */
  void strike() {
    if (with.scheduler().turns() < nextTurn) {
      return;
    }
    aim();
    if (with.swarm().strikes(Fault.RUN_CANCELED)) {
      cancel.run();
    }
    Machine machine = machines.any();
    if (!crashesOrCloses(machine)) {
      if (machines.areSeveral() || with.swarm().has(Fault.STANDBY_TAKES_OVER)) {
        befallsOneOf(machine);
      } else {
        befallsTheOnly(machine);
      }
    }
  }

  /** May plan a failover soon after something was sent, when a loss in the store hurts most. */
  void sent() {
    if (!failedOver && with.swarm().strikes(Fault.STANDBY_TAKES_OVER)) {
      failedOver = true;
      int bound = with.choices().oneOf(50, 2_000, 60_000);
      with.scheduler().after(Duration.ofMillis(1L + with.choices().below(bound)), failOver);
    }
  }

  private boolean crashesOrCloses(Machine machine) {
    if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.NODE_CRASHES)) {
      crashes++;
      machine.crash();
    } else if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.NODE_CLOSES)) {
      crashes++;
      machine.close();
    } else if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.ENGINE_REOPENED)) {
      crashes++;
      machine.reopen();
    } else if (crashes < MOST_CRASHES && with.swarm().strikes(Fault.FILE_OPENED_TWICE)) {
      crashes++;
      machine.openTwice();
    } else {
      return false;
    }
    return true;
  }

  private void befallsTheOnly(Machine machine) {
    if (with.swarm().strikes(Fault.CLOCK_FORWARD)) {
      set(machine, hoursOrDays());
    } else if (machine.hapax() != null && with.swarm().strikes(Fault.CLOCK_BACK)) {
      set(machine, hoursOrDays().negated()); // a process that has never seen it right cannot know
    } else if (with.swarm().strikes(Fault.MACHINE_SUSPENDED)) {
      with.scheduler().suspend(hoursOrDays());
    }
  }

  /**
   * Strikes one of several machines. The others go on, and all clocks are nearly right, that of the
   * store's server among them.
   */
  private void befallsOneOf(Machine machine) {
    if (with.swarm().strikes(Fault.CLOCK_FORWARD)) {
      machine.clock().differBy(Duration.ofSeconds(with.choices().below(MOST_DIFFERENCE)));
    } else if (with.swarm().strikes(Fault.CLOCK_BACK)) {
      machine.clock().differBy(Duration.ofSeconds(-with.choices().below(MOST_DIFFERENCE)));
    } else if (with.swarm().strikes(Fault.MACHINE_SUSPENDED)) {
      machine.freeze(secondsOrMinutes(), true);
    } else if (with.swarm().strikes(Fault.NODE_FROZEN)) {
      machine.freeze(secondsOrMinutes(), false);
    }
  }

  private Duration secondsOrMinutes() {
    int bound = with.choices().oneOf(20, 120, 1_200);
    return Duration.ofSeconds(1L + with.choices().below(bound));
  }

  private void set(Machine machine, Duration by) {
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
