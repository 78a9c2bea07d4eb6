package dev.hapax;

import dev.hapax.admission.Admission;
import dev.hapax.engine.start.Started;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handle on an accepted run. Safe for many threads. */
public final class RunHandle<O> {
  private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);

  private final Hapax hapax;
  private final RunId id;
  private final long number;
  private final Class<O> output;
  private final boolean duplicate;
  private final Endings.@Nullable Ending begun;

  /** The result that the start has found. A run that succeeded needs no second look. */
  private final Endings.@Nullable Result found;

  private RunHandle(
      Hapax hapax,
      RunId id,
      long number,
      Class<O> output,
      boolean duplicate,
      Endings.@Nullable Ending begun,
      Endings.@Nullable Result found) {
    this.hapax = hapax;
    this.id = id;
    this.number = number;
    this.output = output;
    this.duplicate = duplicate;
    this.begun = begun;
    this.found = found;
  }

  /** Returns a handle on a run that was started before. */
  static <O> RunHandle<O> on(Hapax hapax, Run run, Class<O> output) {
    return new RunHandle<>(hapax, run.id(), run.number(), output, false, null, null);
  }

  /** Returns a handle on the run that a start has made or found. */
  static <O> RunHandle<O> of(Hapax hapax, Flow<?, O> flow, Started started) {
    return switch (started) {
      case Started.Fresh(var run, var ending) ->
          new RunHandle<>(hapax, run.id(), run.number(), flow.output(), false, ending, null);
      case Started.Found(Admission.Duplicate(var first)) ->
          new RunHandle<>(
              hapax, first.id(), first.number(), flow.output(), true, null, successOf(first));
      case Started.Found(Admission.KeyReused(var first, var difference)) ->
          throw new KeyReused(first.flow(), first.key(), first.id().toString(), difference);
      case Started.Found(Admission.KeyExpired(var tombstone)) ->
          throw KeyExpired.atStart(tombstone);
      case Started.Interrupted(var run, var cause) ->
          throw new StartInterrupted(run.toString(), cause);
    };
  }

  private static Endings.@Nullable Result successOf(Run run) {
    return run.status() == RunStatus.SUCCEEDED
        ? new Endings.Result(run.status(), run.output(), null)
        : null; // every other result can be followed by a retry or a settlement
  }

  /** Returns the run's id, which can be computed from flow and key. */
  public String id() {
    return id.toString();
  }

  /** Returns whether this start was stopped because the run existed already. */
  public boolean isDuplicate() {
    return duplicate;
  }

  /** Returns the run as the store holds it now. */
  public Run run() {
    return hapax.run(id());
  }

  public List<HistoryEntry> history() {
    return hapax.history(id());
  }

  /**
   * Waits for the run's end and returns its output. Throws RunFailed, RunInReview, RunCanceled or
   * RunErased. Throws RunUnfinished if the thread is interrupted; the thread stays interrupted.
   */
  public O await() {
    return await(FOR_EVER);
  }

  /** As {@link #await()}; throws RunUnfinished if the run has not ended in time. */
  public O await(Duration atMost) {
    Endings.Result result = result(atMost);
    if (result == null) {
      throw new RunUnfinished(id(), atMost);
    }
    return output(result);
  }

  private Endings.@Nullable Result result(Duration atMost) {
    if (found != null) {
      return found;
    }
    Endings.Ending mine = begun;
    Endings.Result told = mine == null ? null : mine.resultIfTold();
    if (told != null && told.status() == RunStatus.SUCCEEDED) {
      return told;
    }
    if (mine == null || told != null) {
      Endings.Result stored = stored();
      if (stored != null) {
        return stored;
      }
    }
    while (true) {
      Endings.Result heard = awaitEnding(mine, atMost);
      if (heard == null || heard.status() == RunStatus.SUCCEEDED) {
        return heard;
      }
      Endings.Result stored = stored();
      if (stored != null) {
        return stored;
      }
      mine = null; // the run continues already: the result was an earlier one
    }
  }

  private Endings.@Nullable Result awaitEnding(Endings.@Nullable Ending mine, Duration atMost) {
    Endings.Ending ending = hapax.endings().join(number);
    if (!ending.equals(mine)) {
      Endings.Result stored = stored(); // it may have a result from before we joined
      if (stored != null) {
        hapax.endings().tell(number, stored);
        return stored;
      }
    }
    try {
      return ending.await(atMost.equals(FOR_EVER) ? null : atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunUnfinished(id(), e);
    }
  }

  private Endings.@Nullable Result stored() {
    Run run = hapax.run(id());
    if (hapax.isStoppedInReview(run)) {
      return new Endings.Result(RunStatus.REVIEW, null, null);
    }
    return run.status().isEnd()
        ? new Endings.Result(run.status(), run.output(), run.error())
        : null;
  }

  private RuntimeException compensated(@Nullable Failure cause) {
    if (cause == null || cause.code().equals("canceled")) {
      return new RunCanceled(id());
    }
    String message = cause.message() + " The effects of the run were undone.";
    return new RunFailed(
        id(), new Failure(cause.code(), message, cause.step(), cause.item(), false));
  }

  @SuppressWarnings("NullAway") // a flow whose body returns null has an O that may be null
  private O output(Endings.Result result) {
    return switch (result.status()) {
      case SUCCEEDED -> {
        String json = result.output();
        if (Erased.is(json)) {
          throw new RunErased(id());
        }
        yield json == null || json.equals("null") ? null : Json.read(hapax.valueOf(json), output);
      }
      case REVIEW ->
          throw run().isQuarantined() ? RunInReview.quarantined(id()) : new RunInReview(id());
      case CANCELED -> throw new RunCanceled(id());
      case COMPENSATED -> throw compensated(result.error());
      default -> {
        Failure error = result.error();
        throw new RunFailed(
            id(),
            error != null
                ? error
                : Failure.of("error", "the run ended as " + result.status(), false));
      }
    };
  }
}
