package dev.hapax.effect;

import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last attempt of each open effect of this process, and when it was over. It outlives the run's
 * stay in memory, because an attempt may be under way while its run waits. It also outlives the
 * engine: see {@link StoreAttempts}. Safe for many threads.
 */
final class OpenAttempts {
  private final Ports ports;
  private final long store;
  private final StoreAttempts ofStore;
  private final ConcurrentMap<Long, Attempt> attempts;
  private final ConcurrentMap<Long, Recovered> recovered = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, Lost> lost = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, StoreAttempts.Awaited> whenAnswered;
  private volatile boolean closed;

  /**
   * Attempts of an effect that this many failovers may have lost.
   *
   * @param nanos the monotonic time at which the last of them was first noticed
   */
  private record Lost(int failovers, long nanos) {}

  /**
   * An attempt of another process that this one has taken over.
   *
   * @param nanos the monotonic time at which this process first asked about it
   */
  private record Recovered(int revision, int attempt, long nanos) {}

  /** For an engine on the store with this identity. */
  OpenAttempts(Ports ports, long store) {
    this.ports = ports;
    this.store = store;
    this.ofStore = StoreAttempts.open(ports.process(), store);
    this.attempts = ofStore.last();
    this.whenAnswered = ofStore.whenAnswered();
  }

  /** Starts an attempt. A closed engine sends nothing, so its call fails before its first byte. */
  Attempt start(long effect, int revision, int number, String name, Attempt.Call call) {
    Attempt earlier = attempts.get(effect);
    var attempt =
        new Attempt(
            revision,
            number,
            name,
            call,
            earlier,
            ports.threads(),
            ports.clock(),
            () -> returned(effect));
    if (!closed) {
      attempts.put(effect, attempt);
    }
    return attempt.start();
  }

  private void returned(long effect) {
    hear(effect);
    if (closed) {
      StoreAttempts.returned(ports.process(), store);
    }
  }

  private void hear(long effect) {
    Attempt last = attempts.get(effect);
    StoreAttempts.Awaited awaited = whenAnswered.get(effect);
    if (last == null || awaited == null) {
      return;
    }
    if (last.answered(awaited.revision()) != null) {
      if (whenAnswered.remove(effect, awaited)) {
        awaited.then().run();
      }
    } else if (last.isOver() && whenAnswered.remove(effect, awaited)) {
      attempts.remove(effect, last); // it says nothing, and a person settles its doubt
    }
  }

  /** Runs this when an attempt at the revision reports success, if one under way ever does. */
  void whenAnswered(long effect, int revision, Runnable then) {
    if (attempts.containsKey(effect)) {
      whenAnswered.put(effect, new StoreAttempts.Awaited(revision, then));
      hear(effect); // it may have answered just now
    }
  }

  /**
   * Does this with the success of an attempt at the revision that is under way now, also after a
   * decision.
   */
  void whenLate(long effect, int revision, Consumer<AnswerMeaning.Done> then) {
    Attempt last = attempts.get(effect);
    if (last != null) {
      last.whenLate(revision, then);
    }
  }

  /** Starts a read, whose end need not be tracked. */
  Attempt read(String name, Attempt.Call call) {
    return new Attempt(0, 0, name, call, null, ports.threads(), ports.clock(), () -> {}).start();
  }

  @Nullable Attempt of(long effect) {
    return attempts.get(effect);
  }

  /** Whether its code has not returned, here or in an engine of this process that is closed. */
  boolean isUnderWay(long effect) {
    Attempt last = attempts.get(effect);
    return last != null && !last.isOver();
  }

  /**
   * Returns the success of an attempt at the revision, if there is one by now. An attempt at an
   * earlier revision, which a person has settled since, may still be under way: it sent something
   * else.
   */
  AnswerMeaning.@Nullable Done answered(long effect, int revision) {
    Attempt last = attempts.get(effect);
    return last == null ? null : last.answered(revision);
  }

  /** Forgets the attempt if nothing is under way any more; a person settles its doubt. */
  void forgetIfOver(long effect) {
    attempts.computeIfPresent(effect, (_, attempt) -> isToForget(attempt) ? null : attempt);
  }

  private boolean isToForget(Attempt attempt) {
    return !closed && attempt.isOver();
  }

  /** Forgets the effect, unless this engine is closed: another engine may have taken it up. */
  void forget(long effect) {
    if (!closed) {
      attempts.remove(effect);
      recovered.remove(effect);
      lost.remove(effect);
      whenAnswered.remove(effect);
    }
  }

  /**
   * Before the last of this many failovers another node may have sent the effect again, and the
   * store has lost that attempt.
   */
  void mayHaveBeenSentAgain(long effect, int failovers) {
    long now = ports.clock().nanos();
    lost.compute(
        effect,
        (_, known) ->
            known != null && known.failovers == failovers ? known : new Lost(failovers, now));
  }

  /**
   * How much of this time is left since the effect's last attempt was over, on the monotonic clock.
   * An attempt of a process that is gone counts from our first call about it, because its end is
   * unknown. What is known of an earlier attempt says nothing: another process may have sent since.
   */
  Duration restOf(long effect, int revision, int number, Duration time) {
    Attempt attempt = attempts.get(effect);
    long now = ports.clock().nanos();
    long since =
        attempt != null && attempt.is(revision, number)
            ? attempt.overAt()
            : recoveredAt(effect, revision, number, now);
    Lost behind = lost.get(effect);
    long passed = behind == null ? now - since : Math.min(now - since, now - behind.nanos);
    Duration rest = time.minusNanos(passed);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  private long recoveredAt(long effect, int revision, int number, long now) {
    return recovered.compute(
            effect,
            (_, known) ->
                known != null && known.revision == revision && known.attempt == number
                    ? known
                    : new Recovered(revision, number, now))
        .nanos;
  }

  /** The engine is closed; attempts under way go on. */
  void close() {
    closed = true;
    StoreAttempts.close(ports.process(), store);
  }

  boolean areUnderWay() {
    return ofStore.areUnderWay();
  }

  /** Waits up to this long for one that is under way; false at once if none is. */
  boolean awaitReturn(Duration atMost) {
    return ofStore.awaitReturn(atMost);
  }
}
