package dev.hapax.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run that is about to be written. Its number is made for this one try, so finding it in the
 * store means "mine".
 *
 * @param parent the run that starts it as its child; null if it is started otherwise
 * @param depth how many nested callers wait for it
 * @param succession if its key had a run before; null otherwise
 * @param gate where it needs a slot before it may go on; null if nothing limits it
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
    @Nullable Succession succession,
    @Nullable Gate gate) {

  /** A run that is no other's child and passes no gate, under a key that had no run before. */
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
    this(
        number, id, tenant, flow, release, key, fingerprint, input, timeoutAt, null, 0, null, null);
  }

  /** The same run, started by another. */
  public NewRun childOf(long run, int atDepth) {
    return with(id, run, atDepth, succession, gate);
  }

  /** The same start in the next generation of its key. */
  public NewRun succeeding(RunId nextId, Succession next) {
    return with(nextId, parent, depth, next, gate);
  }

  /** The same run, which needs a slot of its flow's limit. */
  public NewRun through(@Nullable Gate limit) {
    return with(id, parent, depth, succession, limit);
  }

  /**
   * The same run without its own slot, for a child that is waited for. It runs under its parent's
   * slots; otherwise a parent and its child of the same limited flow would wait for each other.
   */
  public NewRun withoutGate() {
    return through(null);
  }

  private NewRun with(
      RunId newId,
      @Nullable Long newParent,
      int newDepth,
      @Nullable Succession newSuccession,
      @Nullable Gate newGate) {
    return new NewRun(
        number,
        newId,
        tenant,
        flow,
        release,
        key,
        fingerprint,
        input,
        timeoutAt,
        newParent,
        newDepth,
        newSuccession,
        newGate);
  }
}
