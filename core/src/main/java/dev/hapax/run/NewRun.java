package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that is about to be written. Its number is made for this one try, so finding it in the
 * store means "mine".
 *
 * @param parent the run that starts it as its child; null if it is started otherwise
 * @param depth how many callers wait for it, one above the other
 * @param succession if its key had a run before; null otherwise
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
    int depth,
    @Nullable Succession succession) {

  /** A run that is no other's child, under a key that had no run before. */
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
    this(number, id, tenant, flow, release, key, fingerprint, input, timeoutAt, null, 0, null);
  }

  /** The same run, started by another. */
  public NewRun childOf(long run, int atDepth) {
    return new NewRun(
        number,
        id,
        tenant,
        flow,
        release,
        key,
        fingerprint,
        input,
        timeoutAt,
        run,
        atDepth,
        succession);
  }

  /** The same start in the next generation of its key. */
  public NewRun succeeding(RunId nextId, Succession next) {
    return new NewRun(
        number,
        nextId,
        tenant,
        flow,
        release,
        key,
        fingerprint,
        input,
        timeoutAt,
        parent,
        depth,
        next);
  }
}
