package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's place in a line: a slot or lock that it holds, or waits for. It belongs to the run and
 * not to a process, so a crash neither loses nor leaks it. It goes when the run ends or leaves the
 * locked section.
 *
 * @param place its order of arrival
 * @param slot which of the line's slots it holds, from 1; null while it waits
 * @param fence of a lock that is held: a number that only grows, so that a destination can refuse
 *     an older holder
 * @param step of a lock: the section that holds it
 * @param since when it came into the line, or got its slot
 */
public record Hold(
    Line line,
    long run,
    long place,
    @Nullable Integer slot,
    long fence,
    @Nullable Step step,
    Instant since) {

  public boolean isHeld() {
    return slot != null;
  }

  public Hold granted(int freeSlot, long newFence, Line now, Instant at) {
    return new Hold(now, run, place, freeSlot, newFence, step, at);
  }
}
