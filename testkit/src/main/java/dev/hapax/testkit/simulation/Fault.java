package dev.hapax.testkit.simulation;

import java.util.EnumSet;
import java.util.Set;

/** What can go wrong. Each seed has a subset of them, at rates of its own. */
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
  /** The destination sees it twice; only where somebody removes the duplicate. */
  REQUEST_DOUBLED,
  ANSWER_LOST,
  ANSWER_LATE,
  /** A copy of what an earlier attempt was answered comes before the answer to this one. */
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
  /** One of several stands still while the others go on. */
  NODE_FROZEN,
  /** One of several does not reach the store for a while. */
  CONNECTION_CUT,
  HEARTBEAT_REFUSED,
  HEARTBEAT_UNANSWERED,
  HEARTBEAT_ANSWERED_LATE,
  /** Of the store that nodes share; without what was written last. */
  STANDBY_TAKES_OVER,
  /** A transaction of another program has a lock that a group needs, and lasts. */
  LOCK_KEPT_BY_ANOTHER,
  /** The store cannot answer a read. */
  READ_REFUSED,
  /** A read takes long; its answer is from before or after that time. */
  READ_SLOW,
  /** An Error in the engine's own code: no memory, or a class that is missing. */
  ENGINE_ERROR,
  /** The engine is closed and opened again in a process that lives: what it has sent goes on. */
  ENGINE_REOPENED,
  /** Code of an effect takes long before it sends anything. */
  CODE_HANGS_FIRST,
  /** Somebody cancels a run, whatever it is about to do. */
  RUN_CANCELED,
  /** A second process opens the file while the engine that has it lives on for a while. */
  FILE_OPENED_TWICE;

  private static final Set<Fault> OF_NODES = EnumSet.range(NODE_FROZEN, LOCK_KEPT_BY_ANOTHER);

  /** Those that a generator has. */
  static Set<Fault> of(Generator generator) {
    Set<Fault> faults = EnumSet.allOf(Fault.class);
    if (generator == Generator.NODES) {
      faults.remove(FILE_OPENED_TWICE);
    } else {
      faults.removeAll(OF_NODES);
    }
    return faults;
  }
}
