package dev.hapax.run;

import org.jspecify.annotations.Nullable;

/**
 * Decides what the inbox does with an event. Pure, and called by every store inside its
 * transaction, so that racing deliveries are decided one after the other.
 */
public final class InboxRule {
  private InboxRule() {}

  /**
   * Decides by the versions of its object; null if they allow the event.
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

  /** Decides an event that asks for a run, by the run's key. */
  public static InboxEvent begun(
      InboxEvent event, NewRun run, Answer answer, boolean returnsFirst, @Nullable Long newest) {
    InboxOutcome outcome = byKey(answer, returnsFirst);
    return event.with(outcome, run.id().toString(), reason(event, outcome, newest));
  }

  private static InboxOutcome byKey(Answer answer, boolean returnsFirst) {
    if (!(answer instanceof Answer.Spawned spawned)) {
      return InboxOutcome.DUPLICATE; // its run existed, and has expired
    }
    if (spawned.isFresh()) {
      return InboxOutcome.ACCEPTED;
    }
    return spawned.sameInput() || returnsFirst ? InboxOutcome.DUPLICATE : InboxOutcome.CONFLICTING;
  }

  /**
   * Decides an event whose run is refused by the flow's gate: it is recorded, makes no run and
   * leaves the key unused.
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
