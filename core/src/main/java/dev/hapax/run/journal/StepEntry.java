package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the body did in a step that is no effect. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = StepEntry.StepDone.class, name = "step-done"),
  @JsonSubTypes.Type(value = StepEntry.Branched.class, name = "branched"),
  @JsonSubTypes.Type(value = StepEntry.StepFailed.class, name = "step-failed"),
  @JsonSubTypes.Type(value = StepEntry.ReadFailed.class, name = "read-failed"),
  @JsonSubTypes.Type(value = StepEntry.StepSettled.class, name = "step-settled"),
  @JsonSubTypes.Type(value = StepEntry.Published.class, name = "published"),
  @JsonSubTypes.Type(value = StepEntry.KvAsked.class, name = "kv"),
})
public sealed interface StepEntry extends JournalEntry {
  @Override
  Step step();

  /** A pure or read step has its result. */
  record StepDone(Step step, @Nullable String output) implements StepEntry {}

  /** The body has decided which branch to take. */
  record Branched(Step step, String branch) implements StepEntry {}

  /** A pure or read step failed for good. */
  record StepFailed(Step step, Failure error) implements StepEntry {}

  /** A read failed and will be tried again. */
  record ReadFailed(Step step, int attempt, String evidence, Instant retryAt)
      implements StepEntry {}

  /** A person did a failed step by hand. */
  record StepSettled(Step step, @Nullable String output, String reason, String actor)
      implements StepEntry {}

  /**
   * A message was given to the outbox; the journal row holds beside it whether its delivery began
   * here.
   *
   * @param message its id
   * @param delivery the id of the run that delivers it
   */
  record Published(Step step, String message, String destination, String delivery)
      implements StepEntry {}

  /** A request to the durable map; the journal row holds the answer beside it. */
  record KvAsked(Step step, KvAction action, String key, @Nullable String value)
      implements StepEntry {}
}
