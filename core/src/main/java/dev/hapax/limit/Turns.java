package dev.hapax.limit;

import dev.hapax.flow.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The evenly spaced turns of a rate, on the monotonic clock. A turn is taken when it is used and
 * never saved up, so there is no burst of calls after a pause. Nodes that share a rate get equal
 * parts of it. Guarded by its limiter.
 */
final class Turns {
  private long nanosApart;
  private long apartForAll;
  private Share share;
  private long next;

  Turns(long now) {
    this.next = now;
    this.share = new Share(1, now);
  }

  /**
   * A node's part of every rate.
   *
   * @param nodes how many nodes share the rate
   * @param from no turn begins before this time, by the monotonic clock: other nodes may not know
   *     yet that their part is smaller
   */
  record Share(int nodes, long from) {}

  /** Applies a rate. Calls no longer wait for a turn of an earlier, slower rate. */
  void limit(@Nullable Rate rate, long now) {
    apartForAll = rate == null ? 0 : rate.nanosApart();
    spread(now);
  }

  /** Returns false if this share was in use before. */
  boolean share(Share part, long now) {
    boolean isNew = !part.equals(share);
    if (isNew) {
      share = part;
      spread(now);
    }
    return isNew;
  }

  private void spread(long now) {
    nanosApart = apartForAll * share.nodes(); // at most 256 years
    long held = nanosApart == 0 ? 0 : Math.max(0, share.from() - now);
    next = now + Math.max(held, Math.min(until(now), nanosApart));
  }

  /** Returns words for the history; empty if the rate is not shared. */
  String shared() {
    return share.nodes() == 1 ? "" : " at %d nodes together".formatted(share.nodes());
  }

  /** Returns how long until the next turn; 0 if it is there. */
  long until(long now) {
    return Math.max(0, next - now);
  }

  /** Returns how long until the turn that is this many turns after the next. */
  long until(long now, int others) {
    return others == 0 ? until(now) : Math.max(0, next - now + times(others));
  }

  /** Returns how long this many turns take. */
  long times(int turns) {
    return nanosApart > Long.MAX_VALUE / 4 / Math.max(1, turns)
        ? Long.MAX_VALUE / 4
        : nanosApart * turns;
  }

  /** Returns how many turns fit in this time. */
  int within(long nanos, int atMost) {
    return nanosApart == 0 ? atMost : (int) Math.min(atMost, nanos / nanosApart);
  }

  /** Takes this many turns, beginning with the next. */
  Taken take(long now, int turns) {
    next = now + until(now) + times(turns);
    return new Taken(next, times(turns));
  }

  /** Gives back unused turns, unless later turns have been taken since. */
  void giveBack(Taken taken) {
    if (next == taken.end()) {
      next -= taken.length();
    }
  }

  /** Turns that a call has taken. */
  record Taken(long end, long length) {}
}
