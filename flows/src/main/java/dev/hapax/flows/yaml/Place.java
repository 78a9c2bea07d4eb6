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
  /** The request of a lookup. */
  LOOKING("input", "steps", "item", "run", "rework", "lock", "repeat", "effect"),
  /** The answer to a lookup. */
  LOOKUP("input", "steps", "item", "run", "rework", "lock", "repeat", "effect", "response"),
  /** The output of the step itself. */
  RESULT("input", "steps", "item", "run", "rework", "lock", "repeat", "output"),
  /** The request for a page of a list at the destination. */
  LIST("page"),
  /** The answer with a page of the list. */
  LISTING("page", "response"),
  /** Each row of the list. */
  LISTED("item"),
  /** A row of the list beside the effect that the ledger has. */
  COMPARED("item", "effect"),
  END("input", "steps", "run");

  private final ImmutableSet<String> names;

  Place(String... names) {
    this.names = ImmutableSet.copyOf(names);
  }

  Set<String> names() {
    return names;
  }
}
