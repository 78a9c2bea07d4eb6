package dev.hapax.flows.yaml;

import com.google.common.collect.ImmutableSet;
import java.util.Set;

/** The place of an expression, which determines the names that it knows. */
public enum Place {
  /** Before a run exists: its key. */
  KEY("input"),
  /** An event that becomes a run. */
  EVENT("event"),
  /** An instant that becomes a run. */
  SCHEDULE("schedule"),
  STEP("input", "steps", "item", "run", "rework", "lock", "repeat"),
  /** The answer to a lookup. */
  LOOKUP("input", "steps", "item", "run", "rework", "lock", "repeat", "response"),
  /** The output of the step itself. */
  RESULT("input", "steps", "item", "run", "rework", "lock", "repeat", "output"),
  /** Each row of a list at the destination. */
  LISTED("item"),
  END("input", "steps", "run");

  private final ImmutableSet<String> names;

  Place(String... names) {
    this.names = ImmutableSet.copyOf(names);
  }

  Set<String> names() {
    return names;
  }
}
