package dev.hapax.limit;

import dev.hapax.flow.Rate;
import org.jspecify.annotations.Nullable;

/**
 * The evenly spaced turns of a rate, on the monotonic clock. A turn is taken when it is used and
 * never saved up: after a pause calls do not come in a burst. Nodes that share a rate have each the
 * same part of it. Guarded by its limiter.
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
   * @param nodes how many have a part
   * @param from no turn before this time, by the monotonic clock: others may not know yet that they
   *     have a smaller part
   */
  record Share(int nodes, long from) {}

  /** Whoever waits for a turn of a slower rate does not wait for it any more. */
  void limit(@Nullable Rate rate, long now) {
    apartForAll = rate == null ? 0 : rate.nanosApart();
    spread(now);
  }

  /** False if it was so before. */
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

  /** For the history: nothing if nobody shares it. */
  String shared() {
    return share.nodes() == 1 ? "" : " at %d nodes together".formatted(share.nodes());
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
