package dev.hapax.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The parts of statements that differ between databases. */
public interface Dialect {
  Prepared prepare(Connection connection, String sql) throws SQLException;

  /**
   * Whether other processes write too. If so, the writer knows nothing without asking, and it locks
   * every row that it reads in order to decide.
   */
  boolean isShared();

  /** Makes a query lock the rows that it finds. */
  String forUpdate();

  /** A query for the elements of a JSON array of texts. */
  String elements(String json);

  /** A query for the elements of a JSON array of whole numbers. */
  default String numbers(String json) {
    return "SELECT CAST(given.value AS bigint) FROM (" + elements(json) + ") AS given (value)";
  }

  /** Inserts a run unless its {@code :id} is taken, as far as one statement can see. */
  String insertRun(String columns, String values);

  /** Inserts an effect unless its {@code :hash} is taken, as far as one statement can see. */
  String insertEffect(String columns, String values);

  /** Inserts an effect whose {@code :hash} already leads to its number. */
  String reviveEffect(String columns, String values);

  /** The number of the run, or of its remains, by {@code :hash}. */
  String runByKey();

  /** The number of the effect, or of its remains, by {@code :hash}. */
  String effectByKey();

  /** A query for the rows of a JSON array of entries of the search index. */
  String entries(String json);

  /** A query for the rows of a JSON array of items of jobs, in the order of their columns. */
  String jobItems(String json);

  /** The code of a run's error, as its index has it. */
  String errorCode();

  /** Whether the error of a run says that another try could succeed, as its index has it. */
  String isRetryable();

  /** The column that has the state of an effect unless it is pending or done. */
  String unusualState();

  /**
   * Keeps other transactions from the line of this {@code :subject} until this one ends; null if
   * there are no other writers.
   */
  @Nullable String lockLine();
}
