package dev.hapax.store;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Line;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.wait.WaitCycle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how runs enter a line, move up and leave: in order of arrival. A run that leaves lets the
 * next one in, in the same transaction. Called by every store, over its own rows.
 */
public final class LineRule<E extends Exception> {
  /** A longer chain of locks is not reported: no person would understand that deadlock. */
  private static final int LONGEST_CHAIN = 1000;

  private final LineTable<E> rows;

  public LineRule(LineTable<E> rows) {
    this.rows = rows;
  }

  /**
   * A run that arrives at a line.
   *
   * @param place its order of arrival
   * @param step the section that asks for a lock; null for a gate
   */
  public record Arrival(Line line, long run, long place, @Nullable Step step, Instant at) {
    Hold waiting() {
      return new Hold(line, run, place, null, 0, step, at);
    }

    Arrival behind(Hold last) {
      return new Arrival(line, run, last.place() + 1, step, at);
    }
  }

  /** The line's reply to an arrival. */
  public sealed interface Reply {
    /** It holds a slot. */
    record Granted(int slot, long fence) implements Reply {}

    /**
     * It waits.
     *
     * @param behind the public id of the run before it
     * @param displaced runs that were asked to cancel because of it
     */
    record Queued(String behind, List<Long> displaced) implements Reply {}

    /** Every slot is taken and it does not want to wait; nothing was written. */
    record Busy(String holder) implements Reply {}

    /** It can never get it, because of the locks that the run itself holds; nothing was written. */
    record Hopeless(String code, String why) implements Reply {}
  }

  /** Whether an arrival would be refused; writes nothing. */
  public Reply.@Nullable Busy refusal(Line line, Overflow overflow) throws E {
    if (overflow != Overflow.REJECT) {
      return null;
    }
    LineTable.Front front = rows.front(line.subject());
    if (isFree(newest(line, front), front)) {
      return null;
    }
    return new Reply.Busy(rows.id(rows.holders(line.subject()).getFirst().run()));
  }

  /** Lets a run enter the gate of its flow; a possible refusal was checked before. */
  public Reply enter(Arrival arrival, Overflow overflow) throws E {
    LineTable.Front front = rows.front(arrival.line().subject());
    Line line = newest(arrival.line(), front);
    if (front.holders() > 0 && line.release() > front.release()) {
      rows.limit(line.subject(), line.limit(), line.release());
      moveUp(line, arrival.at()); // runs that wait already benefit first from a higher limit
      front = rows.front(line.subject());
    }
    if (isFree(line, front)) {
      return grant(arrival.waiting(), line, arrival.at());
    }
    String behind = behind(line);
    rows.add(atTheEnd(arrival));
    return new Reply.Queued(
        behind, overflow == Overflow.CANCEL_RUNNING ? displace(line, arrival.run()) : List.of());
  }

  /**
   * Runs of one group have the same place, and the clocks of nodes differ: a run still waits behind
   * all that came before it.
   */
  private Hold atTheEnd(Arrival arrival) throws E {
    Hold last = rows.lastWaiting(arrival.line().subject());
    return last == null || last.place() < arrival.place()
        ? arrival.waiting()
        : arrival.behind(last).waiting();
  }

  /** Asks for a section's lock; a repeat gets the same reply, or that it now holds the lock. */
  private Reply lock(Arrival arrival) throws E {
    Line line = arrival.line();
    boolean waits = false;
    for (Hold own : rows.of(arrival.run())) {
      if (own.line().subject().equals(line.subject())) {
        if (!sameStep(own, arrival)) {
          return new Reply.Hopeless(
              "lock-reentrant",
              "lock '%s' is already %s by step %s of this run: a run can take a lock only once at a time"
                  .formatted(line.key(), own.isHeld() ? "held" : "waited for", own.step()));
        }
        Integer slot = own.slot();
        if (slot != null) {
          return new Reply.Granted(slot, own.fence());
        }
        waits = true;
      }
    }
    LineTable.Front front = rows.front(line.subject());
    if (!waits && isFree(line, front)) {
      return grant(arrival.waiting(), line, arrival.at());
    }
    if (!waits) {
      String circle = circle(arrival, front);
      if (circle != null) {
        return new Reply.Hopeless("deadlock", circle);
      }
      String behind = behind(line);
      rows.add(arrival.waiting());
      return new Reply.Queued(behind, List.of());
    }
    return new Reply.Queued(rows.id(rows.holders(line.subject()).getFirst().run()), List.of());
  }

  private static boolean sameStep(Hold own, Arrival arrival) {
    return own.step() != null && own.step().equals(arrival.step());
  }

  /** For each slot or lock that the run waits for: all its holders. */
  public List<List<Long>> before(long run) throws E {
    var before = new ArrayList<List<Long>>();
    for (Hold own : rows.of(run)) {
      if (!own.isHeld()) {
        before.add(rows.holders(own.line().subject()).stream().map(Hold::run).toList());
      }
    }
    return before;
  }

  /** The answer to a section that asks for a lock. */
  public Answer answerLock(Arrival arrival) throws E {
    return switch (lock(arrival)) {
      case Reply.Granted(int _, long fence) -> new Answer.Locked(fence);
      case Reply.Queued(var behind, var _) -> new Answer.LockTaken(behind);
      case Reply.Hopeless(var code, var why) -> new Answer.LockImpossible(code, why);
      case Reply.Busy(var holder) -> new Answer.LockTaken(holder);
    };
  }

  /** Leaves the section. One that lost its lock, because its run ended, is no error. */
  public void unlock(Line line, long run, Step step, Instant at) throws E {
    for (Hold own : rows.of(run)) {
      if (own.line().subject().equals(line.subject()) && step.equals(own.step())) {
        leave(own, at);
      }
    }
  }

  /** Ends all holds and waits of a run that has ended. */
  public void leaveAll(long run, Instant at) throws E {
    for (Hold own : rows.of(run)) {
      leave(own, at);
    }
  }

  private void leave(Hold own, Instant at) throws E {
    rows.remove(own);
    if (own.isHeld()) {
      moveUp(own.line(), at);
    }
  }

  /** Lets in as many runs as there is room for. */
  private void moveUp(Line line, Instant at) throws E {
    for (Hold next; (next = rows.firstWaiting(line.subject())) != null; ) {
      if (rows.front(line.subject()).holders() >= line.limit()) {
        return;
      }
      rows.remove(next);
      grant(next, line, at);
      rows.letIn(next);
    }
  }

  private Reply grant(Hold waiting, Line line, Instant at) throws E {
    int slot = rows.freeSlot(line.subject());
    long fence = line.isLock() ? rows.nextFence() : 0;
    rows.add(waiting.granted(slot, fence, line, at));
    return new Reply.Granted(slot, fence);
  }

  private static boolean isFree(Line line, LineTable.Front front) {
    return front.holders() < line.limit() && !front.someWait();
  }

  /** The limit of the newest release that has reached the line since it was last empty. */
  private static Line newest(Line arriving, LineTable.Front front) {
    boolean overruled = front.holders() > 0 && front.release() >= arriving.release();
    return overruled ? arriving.under(front.limit(), front.release()) : arriving;
  }

  private String behind(Line line) throws E {
    Hold last = rows.lastWaiting(line.subject());
    return rows.id(last != null ? last.run() : rows.holders(line.subject()).getLast().run());
  }

  /** Keeps the newest runs up to the limit; the others are asked to cancel. */
  private List<Long> displace(Line line, long newcomer) throws E {
    List<Hold> alive = rows.alive(line.subject());
    var displaced = new ArrayList<Long>();
    Run.Cancel wish = displacedBy(rows.id(newcomer));
    for (Hold older : alive.subList(0, Math.max(0, alive.size() - line.limit()))) {
      rows.askToCancel(older.run(), wish);
      displaced.add(older.run());
    }
    return displaced;
  }

  /** The cancel in the history of a run that had to make room. */
  public static Run.Cancel displacedBy(String newcomer) {
    return new Run.Cancel(
        "concurrency-limit", "run " + newcomer + " was started, and the newest run wins");
  }

  /**
   * Follows the holder of the lock to the lock that it waits for, to that lock's holder, and so on.
   * If this ends at the run that asks, all of them would wait for ever.
   */
  private @Nullable String circle(Arrival arrival, LineTable.Front front) throws E {
    if (front.holders() > 0) {
      Hold holder = rows.holders(arrival.line().subject()).getFirst();
      if (WaitCycle.above(arrival.run(), holder.run(), rows::waiters).contains(holder.run())) {
        return "deadlock: lock '%s' is held by run %s, which waits for this run to end"
            .formatted(arrival.line().key(), rows.id(holder.run()));
      }
    }
    var seen = new HashSet<Long>();
    return circle(
        arrival.line(),
        arrival.run(),
        seen,
        "this run waits for lock '%s'".formatted(arrival.line().key()));
  }

  private @Nullable String circle(Line wanted, long asking, Set<Long> seen, String path) throws E {
    for (Hold holder : rows.holders(wanted.subject())) {
      if (holder.run() == asking) {
        return "deadlock: " + path + ", held by this run";
      }
      if (seen.size() < LONGEST_CHAIN && seen.add(holder.run())) {
        String id = rows.id(holder.run());
        for (Hold next : rows.of(holder.run())) {
          if (!next.isHeld() && next.line().isLock()) {
            String found =
                circle(
                    next.line(),
                    asking,
                    seen,
                    "%s, held by run %s, which waits for lock '%s'"
                        .formatted(path, id, next.line().key()));
            if (found != null) {
              return found;
            }
          }
        }
      }
    }
    return null;
  }
}
