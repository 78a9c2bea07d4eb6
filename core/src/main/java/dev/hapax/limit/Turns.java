package dev.hapax.limit;

import dev.hapax.flow.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The evenly spaced turns of a rate, on the monotonic clock. A turn is taken when it is used and
 * never saved up: after a pause calls do not come in a burst. The one place where turns are handed
 * out, so that nodes that share a rate have one place to share. Guarded by its turnstile.
 */
final class Turns {
  private long nanosApart;
  private long next;

  Turns(long now) {
    this.next = now;
  }

  /** Whoever waits for a turn of a slower rate does not wait for it any more. */
  void limit(@Nullable Rate rate, long now) {
    nanosApart = rate == null ? 0 : rate.nanosApart();
    next = now + Math.min(until(now), nanosApart);
  }

  /** How long until the next turn; 0 if it is there. */
  long until(long now) {
    return Math.max(0, next - now);
  }

  /** How long until the turn that is this many behind the next. */
  long until(long now, int others) {
    return others == 0 ? until(now) : Math.max(0, next - now + times(others));
  }

  /** How long this many turns take. */
  long times(int turns) {
    return nanosApart > Long.MAX_VALUE / 4 / Math.max(1, turns)
        ? Long.MAX_VALUE / 4
        : nanosApart * turns;
  }

  /** How many turns lie in this time. */
  int within(long nanos, int atMost) {
    return nanosApart == 0 ? atMost : (int) Math.min(atMost, nanos / nanosApart);
  }

  /** Takes the next turn, and as many more as are asked for. */
  Taken take(long now, int turns) {
    next = now + until(now) + times(turns);
    return new Taken(next, times(turns));
  }

  /** Nobody needed it after all; nothing to give back if somebody came after it. */
  void giveBack(Taken taken) {
    if (next == taken.end()) {
      next -= taken.length();
    }
  }

  /** Turns that somebody has. */
  record Taken(long end, long length) {}
}
