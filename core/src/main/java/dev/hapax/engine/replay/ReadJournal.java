package dev.hapax.engine.replay;

import dev.hapax.run.journal.JournalRow;
import java.util.List;

/**
 * A run's journal as far as it was read, folded into a {@link Replay}. It belongs to the pass that
 * reads it, and between two passes to {@link Journals}. The next pass then reads only the new rows.
 */
public final class ReadJournal {
  /** The memory of a row in addition to its text. */
  private static final int BYTES_PER_ROW = 300;

  private final Replay replay = Replay.of(List.of());
  private int rows;
  private long seq;
  private long op;
  private long bytes;

  /** Reads a journal from its beginning. */
  static ReadJournal of(List<JournalRow> rows) {
    var journal = new ReadJournal();
    journal.read(rows);
    return journal;
  }

  public Replay replay() {
    return replay;
  }

  int rows() {
    return rows;
  }

  /** The last row that was read; the next read begins there. */
  long seq() {
    return seq;
  }

  /** About how much memory it takes. */
  long bytes() {
    return bytes;
  }

  /**
   * Whether these rows continue from the last one that was read. If they do not, nothing of it is
   * valid any more: a failover of the database can lose the end of a journal, and others may have
   * written another one since.
   *
   * @param from the row that was read last, if it is still there, and those after it
   */
  boolean goesOnWith(List<JournalRow> from) {
    return !from.isEmpty() && from.getFirst().seq() == seq && from.getFirst().op() == op;
  }

  /** Reads the rows after the first one, which it knows. */
  ReadJournal readOn(List<JournalRow> from) {
    read(from.subList(1, from.size()));
    return this;
  }

  private void read(List<JournalRow> more) {
    if (more.isEmpty()) {
      return;
    }
    replay.readOn(more);
    rows += more.size();
    seq = more.getLast().seq();
    op = more.getLast().op();
    for (JournalRow row : more) {
      String answers = row.answers();
      int text = row.entries().length() + (answers == null ? 0 : answers.length());
      bytes += BYTES_PER_ROW + 2L * text;
    }
  }
}
