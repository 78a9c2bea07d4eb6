package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Step;

/** A section under a lock. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = LockEntry.LockAsked.class, name = "lock"),
  @JsonSubTypes.Type(value = LockEntry.LockReleased.class, name = "unlock"),
})
public sealed interface LockEntry extends JournalEntry {
  @Override
  Step step();

  /** A section asks for its lock; the journal row holds the answer beside it. */
  record LockAsked(Step step, String key) implements LockEntry {}

  /** A section was left, and its lock released. */
  record LockReleased(Step step, String key, long fence) implements LockEntry {}
}
