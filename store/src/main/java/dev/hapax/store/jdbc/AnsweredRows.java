package dev.hapax.store.jdbc;

import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.time.IdSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code answered}: answers to groups that have no journal row. */
final class AnsweredRows {
  /** A process that has not learned its batch's outcome by then is long gone. */
  private static final Duration KEPT = Duration.ofHours(1);

  /** Deletes up to two rows for each new one, so that the table cannot keep growing. */
  private static final String FORGET_OLD =
      "DELETE FROM answered WHERE op IN (SELECT op FROM answered WHERE op < :op ORDER BY op LIMIT 2)";

  private final Prepared find;
  private final Prepared insert;
  private final Prepared forgetOld;

  AnsweredRows(Session session) throws SQLException {
    this.find = session.prepare("SELECT answers FROM answered WHERE op = :op");
    this.insert = session.prepare("INSERT INTO answered (op, answers) VALUES (:op, :answers)");
    this.forgetOld = session.prepare(FORGET_OLD);
  }

  @Nullable List<Answer> find(long op) throws SQLException {
    return find.with(op).first(row -> JournalRow.readAnswers(row.text(1)));
  }

  void add(long op, List<Answer> answers) throws SQLException {
    insert.with(op).with(JournalRow.writeAnswers(answers)).update();
    forgetOld.with(IdSource.firstAt(IdSource.timeOf(op).minus(KEPT))).update();
  }
}
