package dev.hapax.flows.trigger;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.ValueTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Starts runs of a flow, besides the API. Sealed, so that the compiler finds the places in the
 * server that start or show each kind.
 */
public sealed interface Trigger permits WebhookTrigger, ScheduleTrigger, QueueTrigger {
  /** The kind's key in the file. */
  String word();

  Position position();

  /** Describes the trigger in a few words, for the picture. */
  String description();

  /** Its name among the triggers of its kind, for messages. */
  String label();

  /** The input of its runs, as far as the file says; null if it is what arrives. */
  @Nullable ValueTemplate givenInput();

  /**
   * Says what identifies one of its events, for the checklist.
   *
   * @param isKeyed whether the flow has its own key
   */
  String identity(boolean isKeyed);

  /** Says what a second delivery of an event does, for the checklist. */
  String again();

  /** What to use until this version can start runs by it; null if it can. */
  default @Nullable String insteadOfIt() {
    return null;
  }

  /** Whether the ids of its events are kept. */
  default boolean keepsEvents() {
    return true;
  }

  /** Whether anyone who knows its address can start runs. */
  default boolean acceptsAnyone() {
    return false;
  }

  /** The connection that it uses; null if it uses none. */
  default @Nullable String connection() {
    return null;
  }
}
