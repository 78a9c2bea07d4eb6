package dev.hapax.store.jdbc;

import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Group;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code journal}. */
final class JournalRows {
  static final String COLUMNS = "run, seq, op, at, entries, answers, lane";

  private static final String APPEND =
      """
      INSERT INTO journal (run, seq, op, at, entries, lane) VALUES (:run, :seq, :op, :at, :entries, :lane)
      """;

  /**
   * Checks the head and inserts the row in one statement, for the usual commit of a run: the owner
   * still has the run, no cancel is requested, and the journal ends just before this row. If it
   * writes nothing, the reason is looked up. No index serves this comparison of the owner, so that
   * the run is always found by its number.
   */
  private static final String APPEND_OWNED =
      """
      INSERT INTO journal (run, seq, op, at, entries, lane)
      SELECT :run, :seq, :op, :at, :entries, :lane FROM run
      WHERE number = :run AND owner IS NOT DISTINCT FROM :owner AND cancel IS NULL
        AND coalesce((SELECT max(seq) FROM journal WHERE run = :run), 0) = :seq - 1
      """;

  /** For a run without an owner: its row comes after the last one. */
  private static final String APPEND_LAST =
      """
      INSERT INTO journal (run, seq, op, at, entries)
      SELECT :run, coalesce(max(seq), 0) + 1, :op, :at, :entries FROM journal WHERE run = :run
      """;

  private static final String ANSWER =
      "UPDATE journal SET answers = :answers WHERE run = :run AND seq = :seq";

  private final Prepared append;
  private final Prepared appendOwned;
  private final Prepared appendLast;
  private final Prepared answer;
  private final Prepared find;

  JournalRows(Session session) throws SQLException {
    this.append = session.prepare(APPEND);
    this.appendOwned = session.prepare(APPEND_OWNED);
    this.appendLast = session.prepare(APPEND_LAST);
    this.answer = session.prepare(ANSWER);
    this.find =
        session.prepare("SELECT " + COLUMNS + " FROM journal WHERE run = :run AND seq = :seq");
  }

  void append(long run, long seq, Group group, String entries) throws SQLException {
    append
        .with(run)
        .with(seq)
        .with(group.op())
        .with(group.at())
        .with(entries)
        .with(group.item())
        .update();
  }

  boolean appendOwned(long run, long seq, Group group, String entries, long owner)
      throws SQLException {
    return appendOwned
            .with(run)
            .with(seq)
            .with(group.op())
            .with(group.at())
            .with(entries)
            .with(group.item())
            .with(owner)
            .update()
        == 1;
  }

  void appendLast(long run, Group group, String entries) throws SQLException {
    appendLast.with(run).with(group.op()).with(group.at()).with(entries).update();
  }

  void answer(long run, long seq, String answers) throws SQLException {
    answer.with(answers).with(run).with(seq).update();
  }

  @Nullable JournalRow find(long run, long seq) throws SQLException {
    return find.with(run).with(seq).first(JournalRows::row);
  }

  static JournalRow row(Row row) throws SQLException {
    return new JournalRow(
        row.number(1),
        row.number(2),
        row.number(3),
        row.at(4),
        row.text(5),
        row.textOrNull(6),
        row.textOrNull(7));
  }
}
