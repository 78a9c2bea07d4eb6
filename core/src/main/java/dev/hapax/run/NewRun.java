package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that is about to be written. Its number is made for this one try, so finding it in the
 * store means "mine".
 *
 * @param parent the run that starts it as its child; null if it is started otherwise
 * @param depth how many callers wait for it, one above the other
 */
public record NewRun(
    long number,
    RunId id,
    String tenant,
    String flow,
    int release,
    String key,
    Fingerprint fingerprint,
    String input,
    @Nullable Instant timeoutAt,
    @Nullable Long parent,
    int depth) {

  /** A run that is no other's child. */
  public NewRun(
      long number,
      RunId id,
      String tenant,
      String flow,
      int release,
      String key,
      Fingerprint fingerprint,
      String input,
      @Nullable Instant timeoutAt) {
    this(number, id, tenant, flow, release, key, fingerprint, input, timeoutAt, null, 0);
  }

  /** The same run, started by another. */
  public NewRun childOf(long run, int atDepth) {
    return new NewRun(
        number, id, tenant, flow, release, key, fingerprint, input, timeoutAt, run, atDepth);
  }
}
