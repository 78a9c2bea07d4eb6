package dev.hapax.effect;

import dev.hapax.flow.Failover;
import dev.hapax.run.NominalInstant;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of database failovers on effects. A run that was under way at a failover, or was
 * started right after it, may have sent something that its journal no longer holds. So an effect
 * that it sends for the first time is in doubt, unless the run has slept past the failover. Safe
 * for many threads.
 */
public final class Failovers {
  private final Store store;
  private final boolean loseNothing;

  /**
   * @param loseNothing whether every standby that takes over has everything that was acknowledged
   */
  public Failovers(Store store, boolean loseNothing) {
    this.store = store;
    this.loseNothing = loseNothing;
  }

  private List<Failover> all() {
    return loseNothing ? List.of() : store.failovers();
  }

  /** Whether there was no failover, so that no sleep matters. */
  public boolean isNone() {
    return all().isEmpty();
  }

  int count() {
    return all().size();
  }

  /** The first failover that may have removed an effect of this run from its journal. */
  @Nullable Failover before(RunPort run) {
    for (Failover one : all()) {
      if (concerns(one, run) && one.notedAt().isAfter(run.sleptPast())) {
        return one;
      }
    }
    return null;
  }

  /**
   * A run of a schedule counts by its nominal instant, even if it starts late, and the run of an
   * event by the event's own time.
   */
  private static boolean concerns(Failover one, RunPort run) {
    if (one.concerns(IdSource.timeOf(run.identity().run()))) {
      return true;
    }
    Instant occurredAt = run.occurredAt();
    Instant nominal = NominalInstant.in(run.identity().key());
    return (nominal != null && one.covers(nominal))
        || (occurredAt != null && one.coversEvent(occurredAt));
  }

  /** Whether an event that happened at this time may have had a run that is lost. */
  public boolean mayHaveLost(Instant occurredAt) {
    return all().stream().anyMatch(one -> one.coversEvent(occurredAt));
  }

  /**
   * The newest failover that this sleep has passed: nothing after the sleep was done before it.
   * {@link Instant#MIN} if there is none.
   */
  public Instant passedBy(Instant from, Instant until) {
    Instant passed = Instant.MIN;
    for (Failover one : all()) {
      passed = one.isSleptPast(from, until) ? one.notedAt() : passed;
    }
    return passed;
  }
}
