package dev.hapax.run.start;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.SearchFields;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a call learns about a run that exists already, and whether that run goes on. Pure:
 * every store calls it inside its transaction.
 *
 * @param reopening how the child goes on after its failure; null if it stays as it is
 */
public record CallRule(CallAnswer answer, @Nullable Reopening reopening) {

  /**
   * Failed children go on: the caller was retried, or asks for it.
   *
   * @param actor the caller, by its id; a child that it has canceled itself goes on too
   * @param timeoutAt the child's next
   * @param corrects whether the caller was retried with a corrected input: its own child is then
   *     the same work with another input
   * @param anyones whether a new call also retries a run that another one started; its input stays
   */
  public record Retry(
      String actor, @Nullable Instant timeoutAt, boolean corrects, boolean anyones) {
    public Retry(String actor, @Nullable Instant timeoutAt) {
      this(actor, timeoutAt, true, false);
    }
  }

  /**
   * How a child goes on.
   *
   * @param entries of the row that the child's journal gets
   * @param input a corrected one; null to keep what is there
   * @param search the fields of the corrected input; null to keep what is there
   */
  public record Reopening(
      String entries,
      @Nullable String input,
      @Nullable Fingerprint fingerprint,
      @Nullable Instant timeoutAt,
      @Nullable SearchFields search) {}

  /**
   * Decides a call that finds a run with its child's id.
   *
   * @param anyInput whether the child's flow returns the first run for any input
   * @param retry if the caller was retried with a corrected input, or retries failed children
   */
  public static CallRule meets(Run child, NewRun wanted, boolean anyInput, @Nullable Retry retry) {
    boolean isOwn = isOwn(child, wanted.parent());
    boolean differs = !child.startedWith(wanted.fingerprint());
    boolean corrects = isOwn && retry != null && retry.corrects();
    if (differs && !anyInput && !corrects) {
      return new CallRule(new CallAnswer.KeyReused(child.number()), null);
    }
    if (!corrects && retry != null && retry.anyones() && goesOn(child, retry)) {
      return new CallRule(
          new CallAnswer.UnderWay(child.number(), isOwn, true, differs),
          reopening(child, null, retry));
    }
    return decide(child, isOwn, differs ? wanted : null, corrects ? retry : null);
  }

  /** Decides when the caller looks at its child again, because it was woken or retried. */
  public static CallRule looksAgain(Run child, long caller, @Nullable Retry retry) {
    return decide(child, isOwn(child, caller), null, retry);
  }

  private static CallRule decide(
      Run child, boolean isOwn, @Nullable NewRun other, @Nullable Retry retry) {
    boolean differs = other != null;
    if (!child.status().isEnd()) {
      return new CallRule(new CallAnswer.UnderWay(child.number(), isOwn, false, differs), null);
    }
    if (retry != null && goesOn(child, retry)) {
      return new CallRule(
          new CallAnswer.UnderWay(child.number(), isOwn, true, false),
          reopening(child, other, retry));
    }
    return new CallRule(
        new CallAnswer.Ended(
            child.number(), isOwn, differs, child.status(), child.output(), child.error()),
        null);
  }

  /**
   * A child that a person canceled stays canceled, as it does when that person asks for a retry.
   */
  private static boolean goesOn(Run child, Retry retry) {
    Run.Cancel cancel = child.cancel();
    if (child.isErased()) {
      return false; // it has no input any more
    }
    return switch (child.status()) {
      case FAILED, PARTIAL -> true;
      case CANCELED -> cancel != null && cancel.actor().equals(retry.actor());
      default -> false;
    };
  }

  private static Reopening reopening(Run child, @Nullable NewRun other, Retry retry) {
    String input = other == null ? null : other.input();
    var retried = new RunEntry.Retried(retry.actor(), input, input == null ? null : child.input());
    return new Reopening(
        JournalRow.write(List.of(retried)),
        input,
        other == null ? null : other.fingerprint(),
        retry.timeoutAt(),
        other == null ? null : other.search());
  }

  /** Whether this run started the child. */
  public static boolean isOwn(Run child, @Nullable Long caller) {
    return caller != null && caller.equals(child.parent());
  }
}
