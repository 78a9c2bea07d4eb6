package dev.hapax.app.http;

import dev.hapax.KeyExpired;
import dev.hapax.KeyReused;
import dev.hapax.StartInterrupted;
import dev.hapax.admission.RunAdmission;
import dev.hapax.engine.ConcurrencyLimit;
import dev.hapax.engine.RunControl;
import dev.hapax.engine.WaitControl;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.json.NotSerializable;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreClosed;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoreRestored;
import dev.hapax.store.StoreUnavailable;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps the engine's refusals to the public contract: design 13, name for name. */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  /** Never shows a stack trace: errors that a caller cannot fix go to the log. */
  static Problem of(Throwable thrown, Route route) {
    String detail = String.valueOf(thrown.getMessage());
    return switch (thrown) {
      case Problem problem -> problem;
      case RunAdmission.InvalidInput invalid -> Problem.of(invalid.code(), 400, detail);
      case RunControl.NotFound _, ResourceNotFound _ -> Problem.notFound(detail);
      case RunControl.Stale _ -> Problem.stale(detail);
      case RunControl.NotPossible _ -> Problem.notPossible(detail);
      case WaitControl.Forbidden _ -> Problem.forbidden(detail);
      case ConcurrencyLimit limit ->
          Problem.concurrencyLimit(detail).with("holder", limit.holder());
      case KeyReused reused ->
          Problem.keyReused(detail).with("run", Map.of("id", reused.firstRun()));
      case KeyExpired expired ->
          Problem.keyExpired(detail)
              .with(
                  "run",
                  new Remembered(expired.runId(), expired.status().word(), expired.endedAt()));
      case StoreFull _, StartInterrupted _ -> Problem.unavailable(detail);
      case StoreRestored _ -> Problem.restored(detail);
      case StoreClosed _ -> Problem.unavailable("the server is about to stop: ask again soon");
      case StoreUnavailable _ -> away(thrown, route);
      case StoreBroken _ -> broken(thrown, route);
      case IllegalArgumentException _, NotSerializable _ -> Problem.invalidInput(detail);
      default -> unexpected(thrown, route);
    };
  }

  /** The remains of a run whose record has expired. */
  private record Remembered(String id, String status, Instant endedAt) {}

  private static Problem away(Throwable thrown, Route route) {
    LOG.warn("{}: the store could not answer: {}", route, thrown.getMessage());
    return Problem.unavailable(
        "the store does not answer: ask again soon, under the same key if you start something");
  }

  private static Problem broken(Throwable thrown, Route route) {
    LOG.error(
        "{}: the store cannot be trusted any more; this process has to be restarted",
        route,
        thrown);
    return Problem.unavailable("the store is out of order: ask again soon");
  }

  private static Problem unexpected(Throwable thrown, Route route) {
    LOG.error("{} failed unexpectedly", route, thrown);
    return Problem.of("internal", 500, "something unexpected happened; the server's log says what");
  }
}
