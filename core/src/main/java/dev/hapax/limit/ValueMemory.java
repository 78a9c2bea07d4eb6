package dev.hapax.limit;

import dev.hapax.flow.NodeMemory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of a node for the values of its runs. A run takes what it needs as it goes, and gives
 * everything back when it leaves memory. A run that finds no room leaves memory too, and comes back
 * only when there is room for all that it had and needed. So no run waits while it holds what
 * another one waits for. A part of the memory is kept for runs with small values, which therefore
 * never wait for those with large ones. Safe for many threads.
 */
public final class ValueMemory implements NodeMemory {
  private static final int PART_OF_HEAP = 4;

  /** Of this many parts of the memory, one is kept for runs that hold little. */
  private static final int PARTS = 4;

  /** A run holds little up to this part of the memory. */
  private static final int SMALL_PART = 256;

  private static final long MOST_UNCOUNTED = 1 << 10;
  private static final int UNCOUNTED_PART = 4096;

  /** Forgotten needs cost a run one more attempt. */
  private static final int MOST_REMEMBERED = 10_000;

  private final long most;
  private final long mostOfRun;
  private volatile Runnable whenFreed = () -> {};
  // Guarded by this, as are the next two.
  private long taken;
  private final Map<Long, Hold> holds = new HashMap<>();
  private final Map<Long, Long> needs =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };

  /** The memory of a run: what it has set aside, and what of that it uses. */
  private static final class Hold {
    private long reserved;
    private long used;
  }

  /** The answer to a run that asks for memory. */
  public enum Answer {
    TAKEN,

    /** The run must leave memory, and comes back when there is room. */
    NO_ROOM,

    /** The run may never have so much. */
    TOO_MUCH
  }

  /**
   * @param most bytes of all runs together
   * @param mostOfRun bytes of a single run
   */
  public ValueMemory(long most, long mostOfRun) {
    this.most = most;
    this.mostOfRun = mostOfRun;
  }

  /** Returns the usual size: a quarter of the heap. */
  public static long usual() {
    return Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
  }

  /** Smaller values are not counted: counting them would cost more than they do. */
  public long leastCounted() {
    return Math.min(MOST_UNCOUNTED, most / UNCOUNTED_PART);
  }

  public long mostOfRun() {
    return mostOfRun;
  }

  /** Whether there is room for a run that comes into memory. */
  public synchronized boolean hasRoomFor(long run) {
    return fits(0, need(run));
  }

  /** Sets aside what the run is known to need. */
  public synchronized void enter(long run) {
    var hold = new Hold();
    hold.reserved = need(run);
    needs.remove(run);
    taken += hold.reserved;
    holds.put(run, hold);
  }

  /** How many bytes the run is known to need when it comes into memory. */
  public synchronized long need(long run) {
    return Math.min(needs.getOrDefault(run, 0L), most - most / PARTS);
  }

  /** Takes memory for a value that the run is about to read. */
  public synchronized Answer take(long run, long bytes) {
    Hold hold = holds.get(run);
    if (hold == null) {
      return Answer.TAKEN; // it is only replayed, or has left
    }
    long used = hold.used + bytes;
    if (used > mostOfRun) {
      return Answer.TOO_MUCH;
    }
    long more = Math.max(0, used - hold.reserved);
    if (!fits(hold.reserved, more)) {
      needs.put(run, used);
      return Answer.NO_ROOM;
    }
    hold.used = used;
    hold.reserved += more;
    taken += more;
    return Answer.TAKEN;
  }

  /** Alone, apart from runs that hold little, a run may have all that it may ever have. */
  private boolean fits(long has, long more) {
    long small = most / SMALL_PART;
    long limit = has + more <= small ? most : most - most / PARTS;
    return taken + more <= limit || (has + more > small && taken - has <= most / PARTS);
  }

  /** Gives back a part, while the run stays in memory. */
  public void giveBack(long run, long bytes) {
    synchronized (this) {
      Hold hold = holds.get(run);
      if (hold == null || bytes == 0) {
        return;
      }
      hold.used -= bytes;
      hold.reserved -= bytes;
      taken -= bytes;
    }
    whenFreed.run();
  }

  /** Sets what to do when a run gave something back and stays in memory. */
  public void whenFreed(Runnable listener) {
    whenFreed = listener;
  }

  /** The most that a single value may take that belongs to no run yet. */
  @Override
  public long mostBeside() {
    return Math.min(mostOfRun, most - most / PARTS);
  }

  /**
   * Takes memory for values that belong to no run yet, such as messages that runs are started for.
   * Whoever got it gives it back when the values are durable.
   *
   * @return whether there is room now
   */
  @Override
  public synchronized boolean takeBeside(long bytes) {
    boolean isThere = fits(0, bytes);
    taken += isThere ? bytes : 0;
    return isThere;
  }

  /** Gives back what {@link #takeBeside} took. */
  @Override
  public void giveBackBeside(long bytes) {
    synchronized (this) {
      taken -= bytes;
    }
    whenFreed.run();
  }

  /** Gives back everything. */
  public synchronized void leave(long run) {
    Hold hold = holds.remove(run);
    if (hold != null) {
      taken -= hold.reserved;
    }
  }

  /** How many bytes are taken. */
  public synchronized long taken() {
    return taken;
  }
}
