package dev.hapax.engine;

import dev.hapax.flow.Flow;
import dev.hapax.flow.Rate;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.Limits;
import dev.hapax.limit.WaitingCall;
import dev.hapax.run.NewRun;
import dev.hapax.time.Clock;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many runs of a flow begin in a period. The newest registered release sets the limit. A
 * run needs a turn when it is started, when it is retried, and whenever else it is queued. Its due
 * time brings it back, in this process or another. Safe for many threads.
 */
final class FlowRates {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ConcurrentMap<Owned, Newest> newest = new ConcurrentHashMap<>();
  private final Clock clock;
  private final DestinationLimiters limiters;

  private record Newest(int release, @Nullable Rate rate) {}

  /**
   * A flow by its name.
   *
   * @param tenant null for all tenants that have no flow of this name themselves
   */
  private record Owned(@Nullable String tenant, String flow) {}

  FlowRates(Clock clock, Threads threads) {
    this.clock = clock;
    this.limiters = new DestinationLimiters("flow", clock, threads, null);
  }

  void register(@Nullable String tenant, Flow<?, ?> flow) {
    newest.merge(
        new Owned(tenant, flow.name()),
        new Newest(flow.release(), flow.rate()),
        (known, registered) -> registered.release() >= known.release() ? registered : known);
  }

  /** See {@link DestinationLimiters#share}. */
  void share(int nodes, long from) {
    limiters.share(nodes, from);
  }

  /** Returns the turn of a run that is just started; null if it is now. */
  DestinationLimiter.Entry.@Nullable Later turnOf(NewRun run) {
    DestinationLimiter limiter = limiter(run.tenant(), run.flow());
    if (limiter == null) {
      return null;
    }
    return switch (limiter.enter(waitingCall(run.number()), 1, Duration.ZERO, () -> false)) {
      case DestinationLimiter.Entry.Later later -> later;
      case DestinationLimiter.Entry.Passed(var pass) -> began(pass);
      case DestinationLimiter.Entry.GivenUp _ -> null;
    };
  }

  /** Whether this run, which has no owner, needs a turn before it goes on. */
  boolean concerns(Run run) {
    Instant until = run.timeoutAt();
    boolean isToEnd = run.cancel() != null || (until != null && !until.isAfter(clock.now()));
    return run.status() == RunStatus.QUEUED
        && !isToEnd
        && limiter(run.tenant(), run.flow()) != null;
  }

  /** Returns the turn of a run that has come back; null if it is now, or no longer wanted. */
  DestinationLimiter.Entry.@Nullable Later turnOf(Run run, BooleanSupplier draining) {
    DestinationLimiter limiter = limiter(run.tenant(), run.flow());
    if (limiter == null) {
      return null;
    }
    return switch (limiter.enter(waitingCall(run.number()), 1, PATIENCE, draining)) {
      case DestinationLimiter.Entry.Later later -> later;
      case DestinationLimiter.Entry.Passed(var pass) -> began(pass);
      case DestinationLimiter.Entry.GivenUp _ -> null;
    };
  }

  /** The start was refused. */
  void forget(NewRun run) {
    DestinationLimiter limiter = limiter(run.tenant(), run.flow());
    if (limiter != null) {
      limiter.forget(waitingCall(run.number()));
    }
  }

  private static DestinationLimiter.Entry.@Nullable Later began(DestinationLimiter.Pass pass) {
    pass.heard(true);
    pass.over();
    return null;
  }

  private @Nullable DestinationLimiter limiter(String tenant, String flow) {
    Newest own = newest.get(new Owned(tenant, flow));
    Newest is = own != null ? own : newest.get(new Owned(null, flow));
    Rate rate = is == null ? null : is.rate();
    return rate == null ? null : limiters.of(tenant, flow, Limits.of(rate));
  }

  private static WaitingCall waitingCall(long run) {
    return new WaitingCall(run, "");
  }
}
