package dev.hapax.flow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store holds it. Input and output are JSON text.
 *
 * @param number its place in the order of creation, the key of all its rows
 * @param fingerprints of the input and of every corrected input: each counts as the same start
 * @param owner the process that has it in memory, or {@link #QUARANTINE}; none while it waits
 * @param dueAt when to take it up again; none unless it waits for a time or was woken
 * @param cancel the request to cancel it, with its actor and reason
 * @param duplicates starts that were stopped because this run existed
 * @param parent the run that started it as its child; null if it was started otherwise
 * @param depth how many nested callers wait for it
 * @param startedBy the caller; null if an event, an instant, a run or unnamed code started it
 * @param search the fields by which it can be found, from its input
 */
public record Run(
    long number,
    RunId id,
    String tenant,
    String flow,
    int release,
    String key,
    RunStatus status,
    List<Fingerprint> fingerprints,
    String input,
    @Nullable String output,
    @Nullable Failure error,
    @Nullable Long owner,
    @Nullable Instant dueAt,
    @Nullable Instant timeoutAt,
    @Nullable Cancel cancel,
    Instant createdAt,
    @Nullable Instant endedAt,
    long duplicates,
    @Nullable Long parent,
    int depth,
    @Nullable Caller startedBy,
    SearchFields search) {
  /** The owner of a run that is kept out of every memory until a person decides. */
  public static final long QUARANTINE = -1;

  /**
   * A request to end a run early.
   *
   * @param compensate whether to undo the effects of the run
   */
  @JsonInclude(JsonInclude.Include.NON_DEFAULT)
  public record Cancel(String actor, @Nullable String reason, boolean compensate) {
    public Cancel(String actor, @Nullable String reason) {
      this(actor, reason, false);
    }
  }

  /** Whether it is kept out of memory, because it seems to have ended processes. */
  public boolean isQuarantined() {
    return owner != null && owner == QUARANTINE;
  }

  /** Whether its values were erased for a person. Its status, times and effects stay. */
  public boolean isErased() {
    return key.equals(Erased.RUN_KEY) && Erased.is(input);
  }

  /**
   * The same run without its values. Only a run that has ended can be erased.
   *
   * @param person for whom: it is still found by them, also if it declares no subject
   */
  public Run erased(SubjectHash person) {
    return new Run(
        number,
        id,
        tenant,
        flow,
        release,
        Erased.RUN_KEY,
        status,
        fingerprints,
        Erased.JSON,
        Erased.json(output),
        error == null ? null : Erased.failure(number, error.notRetryable()),
        owner,
        dueAt,
        timeoutAt,
        cancel == null
            ? null
            : new Cancel(cancel.actor(), Erased.text(cancel.reason()), cancel.compensate()),
        createdAt,
        endedAt,
        duplicates,
        parent,
        depth,
        null,
        search.onlySubjects(person));
  }

  /** Its status as callers see it: a request to cancel shows before the run has noticed it. */
  public RunStatus shownStatus() {
    return cancel == null || status.isEnd() || status == RunStatus.COMPENSATING
        ? status
        : RunStatus.CANCELING;
  }

  public boolean startedWith(Fingerprint input) {
    return fingerprints.contains(input);
  }
}
