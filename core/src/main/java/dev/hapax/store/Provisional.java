package dev.hapax.store;

/**
 * A group that was written in a transaction of somebody else: it stands when that one commits, and
 * was never there if that one rolls back.
 */
public interface Provisional {

  /** What becomes of the group if the transaction is committed. */
  GroupAnswer answer();

  /** What has become of the transaction so far. */
  Outcome outcome();

  /** Where a transaction stands. */
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
