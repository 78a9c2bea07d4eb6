package dev.hapax.store.jdbc;

/** The cause of a failed query. */
public enum ReadFailure {
  /** The question: the same one would fail again, on any connection. */
  OF_THE_QUESTION,

  /** The connection, the server or the moment: the question is retried on another connection. */
  OF_THE_MOMENT,

  /** The data: the store cannot be trusted any more. */
  OF_THE_STORE
}
