package dev.hapax.engine.control;

import dev.hapax.flow.Reviewed;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import org.jspecify.annotations.Nullable;

/**
 * What a person says about an effect in review.
 *
 * @param result of the step as JSON text, if the effect happened
 * @param seen the review that the person looked at; null for any
 * @param compensate whether the run is to end and undo what it did
 */
public record ReviewDecision(
    SettleDecision decision,
    @Nullable String result,
    @Nullable String externalId,
    String reason,
    String actor,
    @Nullable Reviewed seen,
    boolean compensate) {

  /** The cancel that goes with it. */
  Run.Cancel cancel() {
    return new Run.Cancel(actor, reason, true);
  }
}
