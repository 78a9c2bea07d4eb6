package dev.hapax.flow;

/**
 * A database that a flow writes to under the guard {@code transaction}.
 *
 * @param <C> its connection
 */
public interface DestinationDatabase<C> {
  /**
   * Inserts the marker and does the work in one transaction, and returns the work's result. If the
   * marker exists, the write has happened already: this does not call the work, and returns the
   * stored result. Throws {@link NotApplied} or {@link Rejected} only after a rollback. An error at
   * commit is thrown as it is, because its outcome is unknown.
   */
  String once(String marker, Work<C> work) throws Exception;

  /** The write; its result is JSON text. */
  @FunctionalInterface
  interface Work<C> {
    String in(C connection) throws Exception;
  }
}
