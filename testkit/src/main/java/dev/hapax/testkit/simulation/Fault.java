package dev.hapax.testkit.simulation;

import java.util.EnumSet;
import java.util.Set;

/** The faults. Each seed has a subset of them, with its own rates. */
public enum Fault {
  NODE_CRASHES,
  NODE_CLOSES,
  COMMIT_UNKNOWN_NOT_LANDED,
  COMMIT_UNKNOWN_LANDED,
  COMMIT_LANDS_AFTER_ITS_ERROR,
  STORE_FULL,
  STORE_SLOW,
  STORE_BROKEN,
  REQUEST_LOST,
  REQUEST_DELAYED,
  REQUEST_REFUSED,
  REQUEST_REJECTED,
  /** The destination sees it twice; only where a guard removes the duplicate. */
  REQUEST_DOUBLED,
  ANSWER_LOST,
  ANSWER_LATE,
  /** A copy of the answer to an earlier attempt comes before the answer to this one. */
  ANSWER_DOUBLED,
  ERROR_AFTER_APPLYING,
  SENDER_IGNORES_INTERRUPT,
  LOOKUP_FAILS,
  READ_FAILS,
  STEP_FAILS,
  CLOCK_FORWARD,
  CLOCK_BACK,
  CLOCK_DRIFTS,
  MACHINE_SUSPENDED,
  CODE_REGISTERED_LATE,
  /** One of several nodes freezes while the others go on. */
  NODE_FROZEN,
  /** One of several nodes does not reach the store for a while. */
  CONNECTION_CUT,
  HEARTBEAT_REFUSED,
  HEARTBEAT_UNANSWERED,
  HEARTBEAT_ANSWERED_LATE,
  /** A standby of the store that nodes share takes over, without the last writes. */
  STANDBY_TAKES_OVER,
  /** A transaction of another program holds a lock that a group needs, and lasts. */
  LOCK_KEPT_BY_ANOTHER,
  /** The store cannot answer a read. */
  READ_REFUSED,
  /** A read takes long; its answer is from before or after that time. */
  READ_SLOW,
  /** An Error in the engine's own code: no memory, or a class that is missing. */
  ENGINE_ERROR,
  /**
   * The engine is closed and opened again in a process that lives. Requests that it has sent go on.
   */
  ENGINE_REOPENED,
  /** Code of an effect takes long before it sends anything. */
  CODE_HANGS_FIRST,
  /** A caller cancels a run, no matter what it is about to do. */
  RUN_CANCELED,
  /** A second process opens the file while the engine that owns it lives on for a while. */
  FILE_OPENED_TWICE;

  private static final Set<Fault> OF_NODES = EnumSet.range(NODE_FROZEN, LOCK_KEPT_BY_ANOTHER);

  /** Returns the faults of a generator. */
  static Set<Fault> of(Generator generator) {
    Set<Fault> faults = EnumSet.allOf(Fault.class);
    switch (generator) {
      case NODES -> faults.remove(FILE_OPENED_TWICE);
      case RECOVERY -> faults.remove(STANDBY_TAKES_OVER); // what is lost then is not judged
      case CORE, MIXED -> faults.removeAll(OF_NODES);
    }
    return faults;
  }

  /** Returns the faults of a generator that a store can have which nodes share, or do not. */
  static Set<Fault> of(Generator generator, boolean isShared) {
    Set<Fault> faults = of(generator);
    if (isShared) {
      faults.remove(FILE_OPENED_TWICE);
    } else {
      faults.removeAll(OF_NODES);
    }
    return faults;
  }
}
