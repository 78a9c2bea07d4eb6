package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import dev.hapax.run.wait.Wait;

/**
 * Something that a text leads to.
 *
 * @param by what of it is the text, for example {@code key}
 * @param isExact whether it is the whole text, and not only its beginning
 * @param value the text that was found
 */
public record Found(What what, String by, boolean isExact, String value) {

  /** What was found. */
  public sealed interface What {
    /** A run. */
    record OfRun(Run run) implements What {}

    /** An effect. */
    record OfEffect(EffectRecord effect) implements What {}

    /** An event that was received. */
    record OfEvent(InboxEvent event) implements What {}

    /** An approval, by its id and run. */
    record OfApproval(String id, Run run) implements What {}

    /** A wait for a callback, by its id and run. */
    record OfCallback(String id, Run run) implements What {}
  }

  static Found run(Run run, String by, boolean isExact, String value) {
    return new Found(new What.OfRun(run), by, isExact, value);
  }

  static Found effect(EffectRecord effect, String by, boolean isExact, String value) {
    return new Found(new What.OfEffect(effect), by, isExact, value);
  }

  static Found event(InboxEvent event, boolean isExact) {
    return new Found(new What.OfEvent(event), "event", isExact, event.event());
  }

  static Found wait(Wait wait, Run run, String id) {
    What what =
        wait.kind() == Wait.Kind.APPROVAL
            ? new What.OfApproval(id, run)
            : new What.OfCallback(id, run);
    return new Found(what, "id", true, id);
  }
}
