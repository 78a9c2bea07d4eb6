package dev.hapax.app.http;

import dev.hapax.KeyExpired;
import dev.hapax.KeyReused;
import dev.hapax.StartInterrupted;
import dev.hapax.admission.RunAdmission;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.Forbidden;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.QuotaExceeded;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.StalePlan;
import dev.hapax.flow.StaleReview;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreRestored;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.json.NotSerializable;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps the engine's refusals to the public names of problems, which never change. */
public final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  /** Never shows a stack trace: errors that a caller cannot fix go to the log. */
  static Problem of(Throwable thrown, Route route) {
    return thrown instanceof Problem problem ? problem : ofOther(told(thrown), route);
  }

  /** What a flow's code threw because its store did not answer is no refusal of the request. */
  private static Throwable told(Throwable thrown) {
    NoAnswer missing = NoAnswer.behind(thrown);
    return missing == null ? thrown : missing;
  }

  private static Problem ofOther(Throwable thrown, Route route) {
    String detail = String.valueOf(thrown.getMessage());
    return switch (thrown) {
      case RunAdmission.InvalidInput invalid -> Problem.of(invalid.code(), 400, detail);
      case NotFound _, ResourceNotFound _ -> Problem.notFound(detail);
      case StaleReview _, StalePlan _ -> Problem.stale(detail);
      case NotPossible _ -> Problem.notPossible(detail);
      case Forbidden _ -> Problem.forbidden(detail);
      case ConcurrencyLimit limit ->
          Problem.concurrencyLimit(detail).with("holder", limit.holder());
      case QuotaExceeded exceeded ->
          Problem.quotaExceeded(exceeded.quota(), exceeded.limit(), exceeded.retryAfter(), detail);
      case KeyReused reused ->
          Problem.keyReused(detail).with("run", Map.of("id", reused.firstRun()));
      case KeyExpired expired ->
          Problem.keyExpired(detail)
              .with(
                  "run",
                  new Remembered(expired.runId(), expired.status().word(), expired.endedAt()));
      case StoreFull _, StartInterrupted _ -> Problem.unavailable(detail);
      case StoreRestored _ -> Problem.restored(detail);
      case StoreClosed _ -> Problem.unavailable("the server is about to stop: try again soon");
      case StoreUnavailable _ -> away(thrown, route);
      case StoreBroken _ -> broken(thrown, route);
      case IllegalArgumentException _, NotSerializable _ -> Problem.invalidInput(detail);
      default -> unexpected(thrown, route);
    };
  }

  /** Returns the name of the problem that the caller gets, without a line in the log. */
  public static String nameOf(Throwable thrown) {
    return thrown instanceof Problem problem ? problem.name() : nameOfOther(told(thrown));
  }

  private static String nameOfOther(Throwable thrown) {
    return switch (thrown) {
      case NotFound _, ResourceNotFound _ -> "not-found";
      case StaleReview _, StalePlan _ -> "stale";
      case NotPossible _ -> "not-possible";
      case Forbidden _ -> "forbidden";
      case StoreFull _, StoreClosed _, StoreUnavailable _, StoreBroken _ -> "unavailable";
      case StoreRestored _ -> "restored";
      case IllegalArgumentException _ -> "invalid-input";
      default -> "failed";
    };
  }

  /** The remains of a run whose record has expired. */
  private record Remembered(String id, String status, Instant endedAt) {}

  private static Problem away(Throwable thrown, Route route) {
    LOG.warn("{}: the store could not answer: {}", route, thrown.getMessage());
    return Problem.unavailable(
        "the store does not answer: try again soon, with the same key if you start a run");
  }

  private static Problem broken(Throwable thrown, Route route) {
    LOG.error("{}: the store can no longer be trusted; restart this process", route, thrown);
    return Problem.unavailable("the store is out of order: try again soon");
  }

  private static Problem unexpected(Throwable thrown, Route route) {
    LOG.error("{} failed unexpectedly", route, thrown);
    return Problem.of(
        "internal", 500, "an unexpected error happened; the server's log has the details");
  }
}
