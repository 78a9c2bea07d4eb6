package dev.hapax;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nominal instants get a run now, and which never will. Pure. An instant within the
 * grace is on time; an older one was missed.
 *
 * @param runs in their order
 * @param skipped the first one that gets no run; null if each gets one
 * @param skippedUntil the last one that gets none
 * @param next the first one that has not come yet; null if there is none
 */
record DueInstants(
    List<Instant> runs,
    @Nullable Instant skipped,
    @Nullable Instant skippedUntil,
    @Nullable Instant next) {
  static final int MOST = 1000;

  private static final int MOST_COUNTED = 100_000;

  /** A restart or a busy machine is no reason to skip. */
  static final Duration GRACE = Duration.ofMinutes(1);

  private static final Duration SHORTEST_LOOK_BACK = Duration.ofSeconds(1);

  /** Decides from the first unhandled instant, which is not after now. */
  static DueInstants of(Instant first, Instant now, CatchUp catchUp, NextInstants instants) {
    int most =
        switch (catchUp) {
          case NONE -> 0;
          case LATEST -> 1;
          case ALL -> MOST;
        };
    Instant missedUntil = now.minus(GRACE);
    List<Instant> all = latest(first, now, Math.max(most, MOST), instants);
    List<Instant> runs = new ArrayList<>();
    for (Instant one : all) {
      if (one.isAfter(missedUntil)) {
        runs.add(one);
      }
    }
    int late = Math.min(most - Math.min(most, runs.size()), all.size() - runs.size());
    List<Instant> chosen = all.subList(all.size() - runs.size() - late, all.size());
    Instant next = after(now, instants);
    if (chosen.isEmpty()) {
      return new DueInstants(List.of(), first, all.getLast(), next);
    }
    Instant begin = chosen.getFirst();
    return begin.equals(first)
        ? new DueInstants(List.copyOf(chosen), null, null, next)
        : new DueInstants(List.copyOf(chosen), first, before(first, begin, instants), next);
  }

  /**
   * Decides from the first instant that waits for an earlier run. If the newest instant is on time,
   * all that have come due since wait behind the first, also those of a gap when no process was
   * there. Otherwise, and after a gap of very many, they follow the catch-up rule later.
   */
  static DueInstants queued(Instant first, Instant until, Instant now, NextInstants instants) {
    Instant last = lastQueued(until, now, instants);
    List<Instant> runs = first.equals(last) ? List.of(first) : queue(first, last, instants);
    return new DueInstants(runs, null, null, after(last, instants));
  }

  private static Instant lastQueued(Instant until, Instant now, NextInstants instants) {
    Instant later = after(until, instants);
    if (later == null || later.isAfter(now)) {
      return until;
    }
    Instant newest = latest(later, now, 1, instants).getLast();
    return newest.isAfter(now.minus(GRACE)) && latest(later, now, MOST + 1, instants).size() <= MOST
        ? newest
        : until;
  }

  /** Returns the first two and the last: these say what begins, where the row stays, until when. */
  private static List<Instant> queue(Instant first, Instant last, NextInstants instants) {
    Instant second = after(first, instants);
    return second == null || !second.isBefore(last)
        ? List.of(first, last)
        : List.of(first, second, last);
  }

  /** Returns how many instants get no run; counting stops at a maximum. */
  long countSkipped(NextInstants instants) {
    long count = 0;
    for (Instant one = skipped;
        one != null && skippedUntil != null && !one.isAfter(skippedUntil) && count < MOST_COUNTED;
        one = after(one, instants)) {
      count++;
    }
    return count;
  }

  /** Returns the last instants up to now, oldest first, without walking through years of them. */
  private static List<Instant> latest(Instant first, Instant now, int most, NextInstants instants) {
    Duration back = SHORTEST_LOOK_BACK;
    while (true) {
      Instant from = now.minus(back);
      boolean isAll = from.isBefore(first);
      List<Instant> found = isAll ? between(first, now, instants) : after(from, now, instants);
      if (isAll || found.size() >= most) {
        return found.subList(Math.max(0, found.size() - most), found.size());
      }
      back = back.multipliedBy(2);
    }
  }

  private static List<Instant> between(Instant first, Instant now, NextInstants instants) {
    List<Instant> found = new ArrayList<>();
    found.add(first);
    found.addAll(after(first, now, instants));
    return found;
  }

  private static List<Instant> after(Instant from, Instant now, NextInstants instants) {
    List<Instant> found = new ArrayList<>();
    for (Instant one = after(from, instants);
        one != null && !one.isAfter(now);
        one = after(one, instants)) {
      found.add(one);
    }
    return found;
  }

  /** Returns the last instant before the end. */
  private static Instant before(Instant first, Instant end, NextInstants instants) {
    List<Instant> found = latest(first, end.minusMillis(1), 1, instants);
    return found.getLast();
  }

  /**
   * Returns the port's answer. Refuses an answer that would cause an endless loop or could not be
   * stored.
   */
  static @Nullable Instant after(Instant instant, NextInstants instants) {
    Instant next = instants.after(instant);
    if (next != null
        && (!next.isAfter(instant) || !next.equals(Instant.ofEpochMilli(next.toEpochMilli())))) {
      throw new IllegalStateException(
          "the instants of a schedule: expected one after %s in whole milliseconds, got %s"
              .formatted(instant, next));
    }
    return next;
  }
}
