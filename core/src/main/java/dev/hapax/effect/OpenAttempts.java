package dev.hapax.effect;

import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The last attempt of each open effect of this process, and since when it is over. It outlives the
 * run's stay in memory, because an attempt may be under way while its run waits. Safe for many
 * threads.
 */
final class OpenAttempts {
  private final Ports ports;
  private final ConcurrentMap<Long, Attempt> attempts = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, Long> recoveredAt = new ConcurrentHashMap<>();

  OpenAttempts(Ports ports) {
    this.ports = ports;
  }

  Attempt start(long effect, String name, Attempt.Call call) {
    var attempt = new Attempt(name, call, attempts.get(effect), ports.threads(), ports.clock());
    attempts.put(effect, attempt);
    return attempt;
  }

  /** A read; whether it is over matters to nobody. */
  Attempt read(String name, Attempt.Call call) {
    return new Attempt(name, call, null, ports.threads(), ports.clock());
  }

  @Nullable Attempt of(long effect) {
    return attempts.get(effect);
  }

  /** Nothing of it is under way any more, and its doubt is a person's. */
  void forgetIfOver(long effect) {
    attempts.computeIfPresent(effect, (_, attempt) -> attempt.isOver() ? null : attempt);
  }

  void forget(long effect) {
    attempts.remove(effect);
    recoveredAt.remove(effect);
  }

  /**
   * How much of this time is still to pass since the effect's last attempt was over, on the
   * monotonic clock. An attempt of a process that is gone counts from when we first asked, since
   * nobody knows when it ended.
   */
  Duration restOf(long effect, Duration time) {
    Attempt attempt = attempts.get(effect);
    long now = ports.clock().nanos();
    long since = attempt != null ? attempt.overAt() : recoveredAt.computeIfAbsent(effect, _ -> now);
    Duration rest = time.minusNanos(now - since);
    return rest.isNegative() ? Duration.ZERO : rest;
  }
}
