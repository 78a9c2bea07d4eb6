package dev.hapax.run;

import dev.hapax.flow.Caller;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.flow.SearchFields;
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
 * @param startedBy the caller; null if an event, an instant, a run or unnamed code starts it
 * @param search the fields by which it can be found, from its input
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
    @Nullable Gate gate,
    @Nullable Caller startedBy,
    SearchFields search) {

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
        number,
        id,
        tenant,
        flow,
        release,
        key,
        fingerprint,
        input,
        timeoutAt,
        null,
        0,
        null,
        null,
        null,
        SearchFields.NONE);
  }

  /** The same run, started by another. */
  public NewRun childOf(long run, int atDepth) {
    return with(id, run, atDepth, succession, gate, startedBy, search);
  }

  /** The same start in the next generation of its key. */
  public NewRun succeeding(RunId nextId, Succession next) {
    return with(nextId, parent, depth, next, gate, startedBy, search);
  }

  /** The same run, which needs a slot of its flow's limit. */
  public NewRun through(@Nullable Gate limit) {
    return with(id, parent, depth, succession, limit, startedBy, search);
  }

  /** The same run, started by this caller. */
  public NewRun startedBy(@Nullable Caller caller) {
    return with(id, parent, depth, succession, gate, caller, search);
  }

  /** The same run, which can be found by these fields. */
  public NewRun foundBy(SearchFields fields) {
    return fields.equals(search)
        ? this
        : with(id, parent, depth, succession, gate, startedBy, fields);
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
      @Nullable Gate newGate,
      @Nullable Caller caller,
      SearchFields fields) {
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
        newGate,
        caller,
        fields);
  }
}
