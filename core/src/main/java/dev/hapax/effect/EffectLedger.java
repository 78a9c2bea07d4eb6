package dev.hapax.effect;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Read;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.TenantCalls;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.Ports;
import dev.hapax.time.RandomSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Carries out effects: intend, send, settle. The thread of the run that owns the effect calls it;
 * other runs meet the effect only through their own claims.
 */
public final class EffectLedger {
  private final Parts parts;
  private final EffectUses uses;

  /** The parts that every execution needs. */
  record Parts(
      Store store,
      Clock clock,
      IdSource ids,
      RandomSource random,
      OpenAttempts open,
      LateAnswers late,
      Interceptor interceptor,
      DestinationLimiters destinations,
      TenantCalls calls,
      LeaseTerm lease,
      Failovers failovers,
      CopySwitch copy,
      Instant timesKnownAfter) {
    Access access(Effect.Terms terms, Step step, int turns, RunPort run) {
      return access(terms.destination(), terms.retry().within(), step, turns, run);
    }

    Access access(
        @Nullable String destination, Duration within, Step step, int turns, RunPort run) {
      String tenant = run.identity().tenant();
      DestinationLimiter limiter =
          destination == null ? null : destinations.of(tenant, destination);
      return new Access(limiter, calls.of(tenant), step, turns, within, run);
    }
  }

  /**
   * A ledger over a store.
   *
   * @param destinations the limiters in which effects wait for their turn
   * @param calls limits the calls of each tenant
   * @param lease the lease without which nothing is sent
   * @param failovers after a failover, an effect that is sent for the first time may have been sent
   *     before
   * @param copy whether anything is sent, if the store is a copy of another
   * @param timesKnownAfter the age of anything sent until then is unknown, because the clock was
   *     set back while no process was there; {@link Instant#MIN} if it was not
   */
  public EffectLedger(
      Store store,
      Ports ports,
      Clock clock,
      IdSource ids,
      Interceptor interceptor,
      EffectUses uses,
      LateAnswers late,
      DestinationLimiters destinations,
      TenantCalls calls,
      LeaseTerm lease,
      Failovers failovers,
      CopySwitch copy,
      Instant timesKnownAfter) {
    this.uses = uses;
    this.parts =
        new Parts(
            store,
            clock,
            ids,
            ports.random(),
            new OpenAttempts(ports, store.id()),
            late,
            interceptor,
            destinations,
            calls,
            lease,
            failovers,
            copy,
            timesKnownAfter);
  }

  /**
   * Carries an effect out and returns its output, or throws {@link StepFailed}, or {@link Unwind}
   * if the run must wait for it.
   *
   * @param found the progress in the journal; null if it was never claimed
   */
  public @Nullable String carryOut(EffectStep step, @Nullable EffectProgress found, RunPort run) {
    if (found == null) {
      String flow = run.identity().flow();
      uses.note(
          run.identity().tenant(),
          step.name(flow),
          flow,
          step.rememberedFor(),
          parts.failovers().count());
    }
    return new EffectExecution(parts, step, run).follow(found);
  }

  /** Stops sending; attempts that have not returned go on. */
  public void close() {
    parts.open().close();
  }

  /** Whether an attempt at this revision that this process made has reported success. */
  public boolean isAnswered(long effect, int revision) {
    return parts.open().answered(effect, revision) != null;
  }

  /** Whether code that an engine of this process called on this store has not returned. */
  public boolean areAttemptsUnderWay() {
    return parts.open().areUnderWay();
  }

  /** Waits up to this long for such code to return; false at once if there is none. */
  public boolean awaitReturn(Duration atMost) {
    return parts.open().awaitReturn(atMost);
  }

  /** Returns the access of a step that only reads; it shares the limits with effects. */
  public Access accessOf(Read read, Step step, RunPort run) {
    return parts.access(read.destination(), read.retry().within(), step, 1, run);
  }
}
