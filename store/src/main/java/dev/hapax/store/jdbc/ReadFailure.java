package dev.hapax.store.jdbc;

/** What the error of a query says. */
public enum ReadFailure {
  /** About the question: the same one would fail again, anywhere. */
  OF_THE_QUESTION,

  /** About the connection, the server or the moment: the same is asked on another connection. */
  OF_THE_MOMENT,

  /** About the data: the store cannot be trusted any more. */
  OF_THE_STORE
}
