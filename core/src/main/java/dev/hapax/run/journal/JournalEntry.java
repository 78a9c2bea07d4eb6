package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.hapax.flow.Step;
import org.jspecify.annotations.Nullable;

/**
 * One fact of a run, in the order in which it became durable. The names are stored: a released one
 * never changes. Outputs are JSON text. Each family has its own file, and readers decide family by
 * family, so that the compiler finds every reader of a new entry.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface JournalEntry
    permits StepEntry, EffectEntry, LoopEntry, WaitEntry, CallEntry, LockEntry, RunEntry {
  /** The step that the entry is about; null for the run itself. */
  @Nullable Step step();
}
