package dev.hapax.run;

import org.jspecify.annotations.Nullable;

/**
 * Decides what the inbox does with an event. Pure, and called by every store inside its
 * transaction, so that racing deliveries are decided one after the other.
 */
public final class InboxRule {
  private InboxRule() {}

  /**
   * What the versions of its object say; null if they have nothing against it.
   *
   * @param newest the newest version of the object that started something
   */
  public static @Nullable InboxOutcome byVersion(InboxEvent event, @Nullable Long newest) {
    Long version = event.version();
    if (newest == null || version == null || version > newest) {
      return null;
    }
    return version < newest ? InboxOutcome.STALE : InboxOutcome.DUPLICATE;
  }

  /** An event whose run was wished for: its key says what becomes of it. */
  public static InboxEvent begun(
      InboxEvent event, NewRun run, Answer answer, boolean returnsFirst, @Nullable Long newest) {
    InboxOutcome outcome = byKey(answer, returnsFirst);
    return event.with(outcome, run.id().toString(), reason(event, outcome, newest));
  }

  private static InboxOutcome byKey(Answer answer, boolean returnsFirst) {
    if (!(answer instanceof Answer.Spawned spawned)) {
      return InboxOutcome.DUPLICATE; // its run was there, and has expired
    }
    if (spawned.isFresh()) {
      return InboxOutcome.ACCEPTED;
    }
    return spawned.sameInput() || returnsFirst ? InboxOutcome.DUPLICATE : InboxOutcome.CONFLICTING;
  }

  /**
   * An event whose run the flow's gate does not let in: it is recorded, makes no run and leaves the
   * key unused.
   *
   * @param holder the id of a run that has the slot
   */
  public static InboxEvent rejected(InboxEvent event, String holder) {
    return event.with(
        InboxOutcome.REJECTED,
        null,
        "concurrency-limit: run %s has the slot; try the event again later".formatted(holder));
  }

  /** Whether its version is the newest from now on. */
  public static boolean setsVersion(InboxEvent event, InboxOutcome outcome) {
    return event.object() != null
        && (outcome == InboxOutcome.ACCEPTED || outcome == InboxOutcome.DUPLICATE);
  }

  public static @Nullable String reason(
      InboxEvent event, InboxOutcome outcome, @Nullable Long newest) {
    return switch (outcome) {
      case STALE ->
          "version %d of '%s' is older than %d, which came before"
              .formatted(event.version(), event.object(), newest);
      case DUPLICATE -> "what it asks for was asked for before";
      case CONFLICTING -> "key-reused: the key of its run belongs to another input";
      default -> null;
    };
  }
}
