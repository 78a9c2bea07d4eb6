package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * What an engine may do for each of its tenants now. Called often and from any thread, so it
 * answers from memory; only the right to start runs may be looked up. A changed answer takes effect
 * within about a second.
 */
public interface TenantLimits {
  /** Limits no tenant. This is the default. */
  TenantLimits NONE = new TenantLimits() {};

  /**
   * Returns whether this tenant's work is held back: its runs continue no further than the step
   * that is under way, none is taken up, and its schedules start nothing.
   */
  default boolean isHeld(String tenant) {
    return false;
  }

  /**
   * Returns how many runs of this tenant may be in this process's memory at once. Further runs are
   * accepted, and wait.
   */
  default int mostInMemory(String tenant) {
    return Integer.MAX_VALUE;
  }

  /**
   * Returns how many effects and reads of this tenant may be under way in this process at once.
   * Further ones wait.
   */
  default int mostCalls(String tenant) {
    return Integer.MAX_VALUE;
  }

  /**
   * Takes the right to start new runs. It is asked once for every new run of a caller, an event or
   * a schedule, after it was looked up that there is no such run yet; not for the children of runs.
   *
   * @param wanted how many
   * @param bytes the size of their inputs together
   */
  default Grant takeStarts(String tenant, int wanted, long bytes) {
    return new Grant(wanted, null);
  }

  /**
   * Returns why an event that starts no run may not be kept; null if it may. Events that have come
   * before are not asked about.
   *
   * @param bytes the size of its payload
   */
  default @Nullable QuotaExceeded refusalToKeep(String tenant, long bytes) {
    return null;
  }

  /** Gives the right for so many runs back: they were not started. */
  default void giveBackStarts(String tenant, int runs) {}

  /**
   * How many of the wanted runs may start.
   *
   * @param refusal why the others may not; null if all may
   */
  record Grant(int runs, @Nullable QuotaExceeded refusal) {}
}
