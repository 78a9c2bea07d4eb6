package dev.hapax.store.jdbc;

import dev.hapax.flow.Subject;
import java.sql.SQLException;

/** A line could not be locked. The state and the code come from the database's own error. */
public final class LineNotLocked extends SQLException {
  private static final long serialVersionUID = 1L;

  private final transient Subject subject;

  LineNotLocked(Subject subject, SQLException cause) {
    super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
    this.subject = subject;
  }

  public Subject subject() {
    return subject;
  }
}
