package dev.hapax.flow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One row of the ledger. Request and result are JSON text.
 *
 * @param number its place in the order of creation
 * @param revision counts intents under this key: a corrected request, a changed content is the next
 *     one
 * @param run the run that owns it, and alone may settle it; {@link #NO_RUN} if it was imported
 * @param attempts sent under this revision
 * @param firstSentAt when the first attempt of this revision was about to leave
 * @param reusedBy a run other than the owner that took its result, if there is one
 * @param evidence what is known about a doubt, a failure or a settlement
 */
public record EffectRecord(
    long number,
    EffectKey key,
    Kind kind,
    String guard,
    EffectState state,
    int revision,
    long run,
    Step step,
    int attempts,
    @Nullable Fingerprint fingerprint,
    @Nullable String request,
    @Nullable ObjectVersion version,
    @Nullable String result,
    @Nullable String externalId,
    @Nullable Instant firstSentAt,
    @Nullable Long reusedBy,
    @Nullable String evidence) {

  /** The run of a row that was imported: no run has this number. */
  public static final long NO_RUN = 0;

  /** Returns whether the row was brought in from outside, and no run has sent it since. */
  public boolean isImported() {
    return run == NO_RUN;
  }

  /**
   * Returns whether a person is asked about other content of an effect that is done ({@code
   * onRework: review}), and not about a doubt. Only what is done has a result.
   */
  public boolean isReworkQuestion() {
    return state == EffectState.REVIEW && result != null;
  }

  /** The id of the public contract. */
  public String id() {
    return id(number);
  }

  public static String id(long number) {
    return "e-" + Long.toString(number, 36);
  }

  public static long number(String id) {
    try {
      if (id.startsWith("e-")) {
        return Long.parseLong(id.substring(2), 36);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw new IllegalArgumentException("effect id: expected 'e-' and a number, got '" + id + "'");
  }

  public String wireKey() {
    return key.onWire(revision);
  }
}
