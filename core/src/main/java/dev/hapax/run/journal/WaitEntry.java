package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A wait for a time, a callback or an approval. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = WaitEntry.WaitStarted.class, name = "wait"),
  @JsonSubTypes.Type(value = WaitEntry.WaitEnded.class, name = "wait-ended"),
  @JsonSubTypes.Type(value = WaitEntry.CallbackOpened.class, name = "callback-opened"),
  @JsonSubTypes.Type(value = WaitEntry.CallbackAwaited.class, name = "callback-awaited"),
  @JsonSubTypes.Type(value = WaitEntry.ApprovalLinked.class, name = "approval-linked"),
  @JsonSubTypes.Type(value = WaitEntry.ApprovalAsked.class, name = "approval-asked"),
  @JsonSubTypes.Type(value = WaitEntry.WaitSettled.class, name = "wait-settled"),
})
public sealed interface WaitEntry extends JournalEntry {
  @Override
  Step step();

  record WaitStarted(Step step, Instant until) implements WaitEntry {}

  record WaitEnded(Step step) implements WaitEntry {}

  /**
   * A callback's token is about to be handed out.
   *
   * @param key version of the key that its token is made with; null for the store's own
   */
  record CallbackOpened(Step step, long number, @Nullable Integer key) implements WaitEntry {}

  /**
   * The run waits for a callback.
   *
   * @param number of the wait; that of an earlier round if its token went out in a reused effect
   * @param key as above, if this opens the wait; null otherwise
   */
  record CallbackAwaited(Step step, long number, @Nullable Instant expiresAt, @Nullable Integer key)
      implements WaitEntry {}

  /**
   * A link to an approval is about to be handed out. The link itself is stored nowhere.
   *
   * @param number of the link's row
   * @param approver whom it is for; null for anyone
   * @param key version of the key that it is made with; null for the store's own
   */
  record ApprovalLinked(Step step, long number, @Nullable String approver, @Nullable Integer key)
      implements WaitEntry {}

  /**
   * The run waits for people.
   *
   * @param deciders who may decide, beside the roles; null if there is no other limit
   */
  record ApprovalAsked(
      Step step,
      long number,
      String ask,
      List<String> roles,
      @Nullable Instant expiresAt,
      boolean failsIfRejected,
      @Nullable String deciders)
      implements WaitEntry {}

  /** The run knows how its wait was decided, or that it expired. */
  record WaitSettled(
      Step step,
      long number,
      WaitState state,
      @Nullable String decision,
      @Nullable String by,
      @Nullable Instant settledAt)
      implements WaitEntry {}
}
