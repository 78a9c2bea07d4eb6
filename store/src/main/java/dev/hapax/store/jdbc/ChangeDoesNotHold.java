package dev.hapax.store.jdbc;

import dev.hapax.store.GroupAnswer;

/** Nothing of a group may be written, because of one of its changes. */
public final class ChangeDoesNotHold extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient GroupAnswer answer;

  /** It is about a row that is no longer its run's: the whole group is lost. */
  ChangeDoesNotHold() {
    this(new GroupAnswer.Lost());
  }

  ChangeDoesNotHold(GroupAnswer answer) {
    super(null, null, false, false); // an answer, not a failure: without the cost of a stack trace
    this.answer = answer;
  }

  public GroupAnswer answer() {
    return answer;
  }
}
