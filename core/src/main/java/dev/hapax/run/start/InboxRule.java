package dev.hapax.run.start;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.Tie;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the inbox does with an event. Pure, and called by every store inside its
 * transaction, so that racing deliveries are decided one after the other.
 */
public final class InboxRule {
  private InboxRule() {}

  /** How the version of an event compares with the newest one of its object. */
  public enum Order {
    NEWER,
    EQUAL,
    OLDER,
    /** The first version of the object has another type, so that there is no order. */
    NONE
  }

  /**
   * Compares the versions.
   *
   * @param newest the newest version of the object that started something
   */
  public static Order order(ObjectVersion version, ObjectVersion newest) {
    if (!version.isComparableTo(newest)) {
      return Order.NONE;
    }
    if (version.equals(newest)) {
      return Order.EQUAL;
    }
    return version.isOlderThan(newest) ? Order.OLDER : Order.NEWER;
  }

  public static InboxEvent stale(InboxEvent event, ObjectVersion newest) {
    return event.with(
        InboxOutcome.STALE,
        null,
        "version %s of '%s' is older than version %s, which arrived before"
            .formatted(event.version(), event.object(), newest));
  }

  /** Decides an event whose version cannot be compared with those before it. */
  public static InboxEvent ofOtherType(InboxEvent event, ObjectVersion newest) {
    ObjectVersion version = event.version();
    return event.with(
        InboxOutcome.INVALID,
        null,
        "version '%s' of '%s' is %s, but version '%s', which arrived before, is %s: they have no order. Send versions of one type in all events of an object."
            .formatted(
                version,
                event.object(),
                version == null ? "missing" : version.type().word(),
                newest,
                newest.type().word()));
  }

  /**
   * Decides an event whose content came before under the same version.
   *
   * @param run that the content started
   */
  public static InboxEvent seenBefore(InboxEvent event, @Nullable String run) {
    return event.with(
        InboxOutcome.DUPLICATE,
        run,
        "version %s of '%s' arrived before with the same content"
            .formatted(event.version(), event.object()));
  }

  /** Decides an event whose version came before, but with other content; null: it is applied. */
  public static @Nullable InboxEvent tied(InboxEvent event, Tie tie) {
    return switch (tie) {
      case APPLY -> null;
      case REJECT ->
          event.with(
              InboxOutcome.REJECTED,
              null,
              tiedTo(event) + "; its source has the rule 'tie: reject'");
      case REVIEW ->
          event.with(
              InboxOutcome.REVIEW,
              null,
              tiedTo(event) + ". A person decides: try the event again to apply it.");
    };
  }

  private static String tiedTo(InboxEvent event) {
    return "tied-version: version %s of '%s' arrived before with other content"
        .formatted(event.version(), event.object());
  }

  /** Decides an event that asks for a run, by the run's key. */
  public static InboxEvent begun(
      InboxEvent event, NewRun run, Answer answer, boolean returnsFirst) {
    InboxOutcome outcome = byKey(answer, returnsFirst);
    return event.with(outcome, run.id().toString(), reason(outcome));
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

  /** Whether its version is the newest from now on, and its content is known under it. */
  public static boolean setsVersion(InboxEvent event, InboxOutcome outcome) {
    return event.object() != null
        && event.version() != null
        && (outcome == InboxOutcome.ACCEPTED || outcome == InboxOutcome.DUPLICATE);
  }

  private static @Nullable String reason(InboxOutcome outcome) {
    return switch (outcome) {
      case DUPLICATE -> "an earlier event or call asked for the same run";
      case CONFLICTING -> "key-reused: the key of its run belongs to another input";
      default -> null;
    };
  }
}
