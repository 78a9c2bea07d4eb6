package dev.hapax.engine.replay;

import dev.hapax.flow.Run;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journals of runs that are taken up, and keeps those that were read last within a memory
 * budget. Otherwise a run that waits again and again would read its whole journal at every wake-up.
 * A journal belongs to the pass that has taken it, so no two passes share one. A kept journal only
 * makes a wake-up cheaper: see {@link ReadJournal#goesOnWith}. Safe for many threads.
 */
public final class Journals {
  /** A shorter journal is not worth keeping: reading it again is fast. */
  private static final int LEAST_ROWS = 4;

  /** In every row in which a loop begins. */
  private static final String LOOP = "\"type\":\"loop\"";

  private static final long MOST_BYTES = 64L << 20;
  private static final int PART_OF_HEAP = 16;

  private final Store store;
  private final long mostBytes;
  // Guarded by this, as is the next. The journal that was kept first is dropped first.
  private final LinkedHashMap<Long, ReadJournal> kept = new LinkedHashMap<>();
  private long bytes;

  public Journals(Store store) {
    this(store, Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
  }

  public Journals(Store store, long mostBytes) {
    this.store = store;
    this.mostBytes = mostBytes;
  }

  /**
   * A run that may be taken up.
   *
   * @param stored the run, with its journal only from where the known one ends
   * @param known the kept part of its journal
   */
  public record Loaded(StoredRun stored, @Nullable ReadJournal known) {
    public Run run() {
      return stored.run();
    }

    /** Whether the run may have begun a loop; does not read the journal for it. */
    public boolean hasLoops() {
      return (known != null && known.replay().hasLoops())
          || stored.journal().stream().anyMatch(row -> row.entries().contains(LOOP));
    }

    /** The whole journal; called once. */
    public ReadJournal read() {
      return known == null ? ReadJournal.of(stored.journal()) : known.readOn(stored.journal());
    }
  }

  /** Loads a run; null if there is no such run. Its kept journal now belongs to the caller. */
  public @Nullable Loaded load(long number) {
    ReadJournal known = take(number);
    StoredRun stored = store.load(number, known == null ? 0 : known.seq());
    if (stored != null && known != null && !known.goesOnWith(stored.journal())) {
      known = null;
      stored = store.load(number, 0);
    }
    return stored == null ? null : new Loaded(stored, known);
  }

  public boolean isWorthKeeping(ReadJournal journal) {
    return journal.rows() >= LEAST_ROWS && journal.bytes() <= mostBytes;
  }

  /** Gives back a journal that was loaded and not read. */
  public void keep(Loaded unread) {
    ReadJournal known = unread.known();
    if (known != null) {
      keep(unread.run().number(), known);
    }
  }

  /** Keeps a journal that the caller no longer uses. */
  public synchronized void keep(long run, ReadJournal journal) {
    take(run);
    kept.put(run, journal);
    bytes += journal.bytes();
    Iterator<ReadJournal> oldest = kept.values().iterator();
    while (bytes > mostBytes) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  private synchronized @Nullable ReadJournal take(long run) {
    ReadJournal found = kept.remove(run);
    if (found != null) {
      bytes -= found.bytes();
    }
    return found;
  }
}
