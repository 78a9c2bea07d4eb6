package dev.hapax.store.sqlite;

/** A change of a group is about a row that is no longer its run's: the whole group is lost. */
final class ChangeDoesNotHold extends Exception {
  private static final long serialVersionUID = 1L;

  ChangeDoesNotHold() {
    super(null, null, false, false); // an answer, not a failure: without the cost of a stack trace
  }
}
