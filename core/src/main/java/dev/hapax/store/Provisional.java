package dev.hapax.store;

/**
 * A group that was written in a caller's transaction: it is durable when that one commits, and was
 * never there if that one rolls back.
 */
public interface Provisional {

  /** The answer to the group if the transaction is committed. */
  GroupAnswer answer();

  /** The outcome of the transaction so far. */
  Outcome outcome();

  /** The outcome of a transaction. */
  enum Outcome {
    OPEN,
    COMMITTED,
    ROLLED_BACK
  }

  /** Nothing was written, and the transaction is as it was before. */
  final class NotWritten extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NotWritten(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
