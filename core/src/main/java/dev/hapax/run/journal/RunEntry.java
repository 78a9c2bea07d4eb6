package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.Gate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to the run as a whole. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = RunEntry.Alerted.class, name = "alerted"),
  @JsonSubTypes.Type(value = RunEntry.Notified.class, name = "notified"),
  @JsonSubTypes.Type(value = RunEntry.Retried.class, name = "retried"),
  @JsonSubTypes.Type(value = RunEntry.Replayed.class, name = "replayed"),
  @JsonSubTypes.Type(value = RunEntry.CancelRequested.class, name = "cancel-requested"),
  @JsonSubTypes.Type(value = RunEntry.TimedOut.class, name = "timed-out"),
  @JsonSubTypes.Type(value = RunEntry.CompensationStarted.class, name = "compensation-started"),
  @JsonSubTypes.Type(value = RunEntry.Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = RunEntry.KeyForgotten.class, name = "key-forgotten"),
  @JsonSubTypes.Type(value = RunEntry.ValuesErased.class, name = "erased"),
  @JsonSubTypes.Type(value = RunEntry.Queued.class, name = "queued"),
  @JsonSubTypes.Type(value = RunEntry.SlotGranted.class, name = "slot"),
  @JsonSubTypes.Type(value = RunEntry.TurnAwaited.class, name = "turn-awaited"),
  @JsonSubTypes.Type(value = RunEntry.CodeMissing.class, name = "code-missing"),
  @JsonSubTypes.Type(value = RunEntry.Occurred.class, name = "occurred"),
  @JsonSubTypes.Type(value = RunEntry.Quarantined.class, name = "quarantined"),
  @JsonSubTypes.Type(value = RunEntry.Resumed.class, name = "resumed"),
  @JsonSubTypes.Type(value = RunEntry.TriedNow.class, name = "tried-now"),
})
public sealed interface RunEntry extends JournalEntry {
  @Override
  default @Nullable Step step() {
    return null;
  }

  /** People are alerted; the journal row holds beside it whether they were before. */
  record Alerted(Alert alert, String message, String delivery) implements RunEntry {}

  /**
   * People get a message about the approval that this step asks for.
   *
   * @param message its id
   * @param delivery the run that delivers it
   */
  record Notified(Step step, String message, String destination, String delivery)
      implements RunEntry {}

  /** Retries what failed, perhaps with a corrected input. */
  record Retried(String actor, @Nullable String input, @Nullable String previousInput)
      implements RunEntry {}

  /**
   * A person lets the ended run go on from a step, as a plan says.
   *
   * @param release that it goes on with; null for the one that it had
   * @param input a corrected one; null to keep it
   */
  record Replayed(
      String actor,
      @Nullable String reason,
      @Nullable Integer release,
      @Nullable Integer previousRelease,
      @Nullable String input,
      @Nullable String previousInput,
      ReplayTerms terms)
      implements RunEntry {}

  record CancelRequested(String actor, @Nullable String reason) implements RunEntry {}

  record TimedOut(Instant timeoutAt) implements RunEntry {}

  /**
   * From here on the run undoes its effects, no matter what its body would do now.
   *
   * @param cause why; the run's error when it is compensated
   */
  record CompensationStarted(Failure cause) implements RunEntry {}

  record Ended(RunStatus status, @Nullable String output, @Nullable Failure error)
      implements RunEntry {}

  /** A person freed the ended run's key: the next start under it is a new run. */
  record KeyForgotten(String actor, String reason) implements RunEntry {}

  /**
   * The values of the ended run were erased for a person whom it was about. Written by the store,
   * in the commit that erases the first of them.
   *
   * @param erasure the number of the request to erase
   */
  record ValuesErased(String actor, String reason, long erasure) implements RunEntry {}

  /**
   * The run waits for a slot of its flow's concurrency limit. Written by the store, in place of the
   * run's first commit; the row's answer names the run before it.
   */
  record Queued(Gate gate) implements RunEntry {}

  /** The run that waited has its slot and goes on. */
  record SlotGranted() implements RunEntry {}

  /**
   * The run left memory because a rate, the calls under way or a circuit breaker made it wait.
   * Nothing was intended yet. The journal does not say how it continues: it asks again.
   *
   * @param step the effect that waits; null if the run has not begun
   * @param until when it asks again, if it is not called before
   */
  record TurnAwaited(@Nullable Step step, String because, Instant until) implements RunEntry {}

  /** The run was due, and the code of its release was not registered: the run waits for it. */
  record CodeMissing(int release) implements RunEntry {}

  /**
   * The event that started the run happened in a time that the store has lost, so it may have had a
   * run then. Written by the store, together with the run.
   */
  record Occurred(Instant occurredAt) implements RunEntry {}

  /**
   * The run seems to have ended the processes that had it in memory. From here on it is in no
   * memory until a person resumes or cancels it. The journal does not say how it continues.
   *
   * @param evidence when it was in memory at ends of processes, and where; or the Error that it
   *     threw
   */
  record Quarantined(String evidence) implements RunEntry {}

  /** A person lets a quarantined run go on. */
  record Resumed(String actor, @Nullable String reason) implements RunEntry {}

  /**
   * A person asks for the next attempts now: the pauses before them, as they are here, are over.
   */
  record TriedNow(String actor) implements RunEntry {}
}
