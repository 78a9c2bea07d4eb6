package dev.hapax;

import dev.hapax.admission.Admission;
import dev.hapax.admission.RunAdmission;
import dev.hapax.admission.StartRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a start would get now. Nothing was written, so another start of the same key may come first.
 *
 * @param key the key of the run; null if neither the flow nor the caller has one, so that each
 *     start is a run of its own
 * @param run the id of the run that the start would begin or get; null without a key
 * @param difference how the inputs differ, if the key belongs to a run with another input
 */
public record StartOutlook(
    Result result, @Nullable String key, @Nullable String run, @Nullable String difference) {

  /** The answer that the start would get. */
  public enum Result {
    /** A new run. */
    NEW,
    /** The run that the key has already. */
    DUPLICATE,
    /** A refusal: the key belongs to a run with another input. */
    KEY_REUSED,
    /** A refusal: the key had a run, whose record has expired. */
    KEY_EXPIRED
  }

  static <I> StartOutlook of(RunAdmission admission, StartRequest<I> request) {
    String computed = request.flow().keyOf(request.input());
    String key = computed == null ? request.key() : computed;
    return switch (admission.admit(request)) {
      case Admission.Fresh(var run) ->
          key != null
              ? new StartOutlook(Result.NEW, run.key(), run.id().toString(), null)
              : new StartOutlook(Result.NEW, null, null, null);
      case Admission.Duplicate(var first) ->
          new StartOutlook(Result.DUPLICATE, first.key(), first.id().toString(), null);
      case Admission.KeyReused(var first, var difference) ->
          new StartOutlook(Result.KEY_REUSED, first.key(), first.id().toString(), difference);
      case Admission.KeyExpired(var tombstone) ->
          new StartOutlook(Result.KEY_EXPIRED, key, tombstone.id().toString(), null);
    };
  }
}
