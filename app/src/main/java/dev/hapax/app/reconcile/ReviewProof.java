package dev.hapax.app.reconcile;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flows.step.FieldComparison;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an object at the destination proves that an effect in review has happened. The
 * object may be there because of an earlier revision, or with an earlier content.
 */
final class ReviewProof {
  private ReviewProof() {}

  /** Says why the object does not prove it; null if it does. */
  static @Nullable String missing(EffectRecord row, FieldComparison fields) {
    if (row.isReworkQuestion()) {
      return "it is done, and the question is whether other content is sent";
    }
    if (!fields.different().isEmpty()) {
      return "what is there has other content";
    }
    return switch (row.kind()) {
      case CREATE, NOTIFY ->
          row.revision() == 1
              ? null
              : "revision %d is in doubt, and what is there may be an earlier one"
                  .formatted(row.revision());
      case UPDATE ->
          fields.hasContent() && fields.unanswered().isEmpty()
              ? null
              : "an update is proven by effect.reconcile.fields that compare what is there with effect.request or effect.version, and with no answer";
      case ADDITIVE -> "what is there may be of another run";
    };
  }
}
