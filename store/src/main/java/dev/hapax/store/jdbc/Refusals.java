package dev.hapax.store.jdbc;

import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers to groups that the database refuses. */
public final class Refusals {
  private static final Logger log = LoggerFactory.getLogger(Refusals.class);

  private Refusals() {}

  public static GroupAnswer refused(Group group, Exception e) {
    log.error(
        "the database refused the data of {}; the other groups of its batch are written",
        about(group.head()),
        e);
    return new GroupAnswer.Refused(String.valueOf(e.getMessage()));
  }

  /** Describes the group without its data. */
  private static String about(Head head) {
    return switch (head) {
      case Head.Insert(var run, var _) -> "the new run " + run.id();
      case Head.Owned(long run, long _, long _) -> "run " + run;
      case Head.Unowned(long run, long _) -> "run " + run;
      case Head.NotEnded(long run) -> "a request to run " + run;
      case Head.Always() -> "a note about runs";
    };
  }
}
