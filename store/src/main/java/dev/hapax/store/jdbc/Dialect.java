package dev.hapax.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where the statements of one database differ from those of another. */
public interface Dialect {
  Prepared prepare(Connection connection, String sql) throws SQLException;

  /**
   * Whether other processes write too: then nothing is known without asking, and whatever is read
   * in order to decide is locked.
   */
  boolean isShared();

  /** What makes a query lock the rows that it finds. */
  String forUpdate();

  /** A query for the elements of a JSON array of texts. */
  String elements(String json);

  /** A query for the elements of a JSON array of whole numbers. */
  default String numbers(String json) {
    return "SELECT CAST(given.value AS bigint) FROM (" + elements(json) + ") AS given (value)";
  }

  /** Inserts a run unless its {@code :id} is taken, as far as one statement can tell. */
  String insertRun(String columns, String values);

  /** Inserts an effect unless its {@code :hash} is taken, as far as one statement can tell. */
  String insertEffect(String columns, String values);

  /** Inserts an effect whose {@code :hash} leads to its number already. */
  String reviveEffect(String columns, String values);

  /** The number of the run, or of what is left of it, by {@code :hash}. */
  String runByKey();

  /** The number of the effect, or of what is left of it, by {@code :hash}. */
  String effectByKey();

  /** The column that has the state of an effect unless it is pending or done. */
  String unusualState();

  /**
   * Keeps all others from the line of this {@code :subject} until the transaction ends; null if
   * there are no others.
   */
  @Nullable String lockLine();
}
