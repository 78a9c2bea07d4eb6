package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Kind;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to an effect. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = EffectEntry.Claimed.class, name = "claimed"),
  @JsonSubTypes.Type(value = EffectEntry.Attempted.class, name = "attempted"),
  @JsonSubTypes.Type(value = EffectEntry.SentAgain.class, name = "sent-again"),
  @JsonSubTypes.Type(value = EffectEntry.NotApplied.class, name = "not-applied"),
  @JsonSubTypes.Type(value = EffectEntry.InDoubt.class, name = "doubt"),
  @JsonSubTypes.Type(value = EffectEntry.ProvenAbsent.class, name = "absent"),
  @JsonSubTypes.Type(value = EffectEntry.InReview.class, name = "review"),
  @JsonSubTypes.Type(value = EffectEntry.Settled.class, name = "settled"),
  @JsonSubTypes.Type(value = EffectEntry.SettledTooLate.class, name = "settled-too-late"),
  @JsonSubTypes.Type(value = EffectEntry.AnsweredLate.class, name = "answered-late"),
  @JsonSubTypes.Type(value = EffectEntry.EffectDone.class, name = "done"),
  @JsonSubTypes.Type(value = EffectEntry.EffectFailed.class, name = "failed"),
  @JsonSubTypes.Type(value = EffectEntry.Skipped.class, name = "skipped"),
  @JsonSubTypes.Type(value = EffectEntry.LeftBehind.class, name = "left-behind"),
})
public sealed interface EffectEntry extends JournalEntry {
  @Override
  Step step();

  /**
   * The intent of an effect's first attempt; the journal row holds the ledger's answer beside it.
   *
   * @param undoable true if its contract says how it is undone
   * @param branch the parallel branch, or item of an inner loop, that claims it; null outside of
   *     them, and in journals that did not say
   */
  record Claimed(
      Step step,
      long effect,
      String name,
      String key,
      Kind kind,
      String guard,
      @Nullable String origin,
      @Nullable Boolean undoable,
      @Nullable String branch)
      implements EffectEntry {
    public Claimed(
        Step step,
        long effect,
        String name,
        String key,
        Kind kind,
        String guard,
        @Nullable String origin) {
      this(step, effect, name, key, kind, guard, origin, null, null);
    }
  }

  /**
   * The intent of a further attempt after one that was not applied; the journal row holds the
   * answer beside it.
   */
  record Attempted(Step step, int revision, int attempt) implements EffectEntry {}

  /**
   * The intent of an attempt that settles a doubt by the guard's rule. It is not refused when the
   * run is to be canceled.
   */
  record SentAgain(Step step, int revision, int attempt) implements EffectEntry {}

  /** Nothing happened in this attempt; it is tried again at the given time. */
  record NotApplied(Step step, int revision, int attempt, String evidence, Instant retryAt)
      implements EffectEntry {}

  /**
   * An attempt was sent and its outcome is unknown; the guard's rule settles it, from the given
   * time on.
   *
   * @param repeatTellsNothing true if sending again settles nothing, so that a lookup has to
   */
  record InDoubt(
      Step step,
      int revision,
      int attempt,
      String evidence,
      String decision,
      @Nullable Instant retryAt,
      @Nullable Boolean repeatTellsNothing,
      @Nullable Instant sentSince)
      implements EffectEntry {}

  /** A lookup has proved that no attempt so far happened. */
  record ProvenAbsent(Step step, int revision, int attempt, String evidence)
      implements EffectEntry {}

  /** Only a person can settle it. */
  record InReview(Step step, int revision, int attempt, String evidence) implements EffectEntry {}

  /** A person settled a review. */
  record Settled(
      Step step,
      int revision,
      SettleDecision decision,
      @Nullable String output,
      @Nullable String externalId,
      String reason,
      String actor)
      implements EffectEntry {}

  /** A person settled a review after the effect's answer had reached the run's memory. */
  record SettledTooLate(
      Step step, int revision, SettleDecision decision, String reason, String actor)
      implements EffectEntry {
    public static SettledTooLate of(Settled late) {
      return new SettledTooLate(
          late.step(), late.revision(), late.decision(), late.reason(), late.actor());
    }
  }

  /**
   * An attempt reported success after a person had settled the review. The decision stays; this is
   * evidence.
   *
   * @param decision of the person
   * @param externalId the id in the answer, if it has one
   * @param effect its number in the ledger: the step may have had another key since; null in
   *     journals that are older than this
   */
  record AnsweredLate(
      Step step,
      int revision,
      SettleDecision decision,
      String actor,
      @Nullable String externalId,
      @Nullable Long effect)
      implements EffectEntry {
    /** Whether the answer says something else than the person. */
    @JsonIgnore
    public boolean contradicts() {
      return decision != SettleDecision.HAPPENED;
    }
  }

  /** It happened, once; the decision says how this is known. */
  record EffectDone(
      Step step,
      int revision,
      int attempt,
      @Nullable String output,
      @Nullable String externalId,
      String decision)
      implements EffectEntry {
    /** The decision for an effect that existed already, and so was not sent by this run. */
    public static final String FOUND_BEFORE_SENDING = "found at the destination before it was sent";
  }

  /**
   * Final and not applied.
   *
   * @param givenUp true if it may have happened nevertheless: a mistake in the program stopped its
   *     sender. The ledger then holds it as abandoned
   */
  record EffectFailed(
      Step step, int revision, int attempt, Failure error, @Nullable Boolean givenUp)
      implements EffectEntry {
    public EffectFailed(Step step, int revision, int attempt, Failure error) {
      this(step, revision, attempt, error, null);
    }
  }

  /** Given up in doubt, as the flow explicitly allows. */
  record Skipped(Step step, int revision, int attempt, String evidence) implements EffectEntry {}

  /**
   * An effect that the run did before it was retried, and that its body has not reached since: a
   * corrected input, or a step that no longer fails, has led to another branch.
   */
  record LeftBehind(Step step, long effect, String name, String key) implements EffectEntry {}
}
