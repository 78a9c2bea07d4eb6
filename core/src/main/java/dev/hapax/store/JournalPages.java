package dev.hapax.store;

import dev.hapax.run.journal.JournalRow;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The journal of a run, including those of items, read part by part: memory holds one part, however
 * long the journal is. Rows that are added meanwhile are read, too.
 */
public record JournalPages(Store store, long run) implements Iterable<JournalRow> {
  private static final int FEWEST = 16;
  private static final int MOST = 512;

  /** A part with more characters is followed by a smaller one. */
  private static final long MANY = 1 << 20;

  @Override
  public Iterator<JournalRow> iterator() {
    return new Rows();
  }

  private final class Rows implements Iterator<JournalRow> {
    private Iterator<JournalRow> part = Collections.emptyIterator();
    private long after;
    private int limit = FEWEST;
    private boolean isOver;

    @Override
    public boolean hasNext() {
      if (!part.hasNext() && !isOver) {
        List<JournalRow> next = store.journal(run, after, limit);
        isOver = next.isEmpty();
        long size = next.stream().mapToLong(row -> row.entries().length()).sum();
        limit = size > MANY ? FEWEST : Math.min(2 * limit, MOST);
        part = next.iterator();
      }
      return part.hasNext();
    }

    @Override
    public JournalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      JournalRow row = part.next();
      after = row.seq();
      return row;
    }
  }
}
