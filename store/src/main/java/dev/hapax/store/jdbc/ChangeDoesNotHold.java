package dev.hapax.store.jdbc;

import dev.hapax.store.GroupAnswer;

/** One change of a group does not hold, so nothing of the group may be written. */
public final class ChangeDoesNotHold extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient GroupAnswer answer;

  /** The change is about a row that no longer belongs to its run: the whole group is lost. */
  ChangeDoesNotHold() {
    this(new GroupAnswer.Lost());
  }

  ChangeDoesNotHold(GroupAnswer answer) {
    super(null, null, false, false); // an answer, not a failure: no stack trace
    this.answer = answer;
  }

  public GroupAnswer answer() {
    return answer;
  }
}
