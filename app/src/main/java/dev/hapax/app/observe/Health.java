package dev.hapax.app.observe;

import dev.hapax.Hapax;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Restored;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * {@code /healthz}: the process is alive. {@code /readyz}: it takes work, its store can be written.
 */
public final class Health {
  private static final Status OK = new Status("ok");

  private final Hapax hapax;
  private final BooleanSupplier isClosing;
  private final StoreWatch store;
  private final ServerBreakdown breakdown;

  private record Status(String status) {}

  public Health(
      Hapax hapax, BooleanSupplier isClosing, StoreWatch store, ServerBreakdown breakdown) {
    this.hapax = hapax;
    this.isClosing = isClosing;
    this.store = store;
    this.breakdown = breakdown;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/healthz",
                TokenScope.PUBLIC,
                "Check that the process is alive",
                _ -> RouteAnswer.ok(OK))
            .gives(200, Status.class),
        Route.get("/readyz", TokenScope.PUBLIC, "Check that the server accepts work", _ -> ready())
            .gives(200, Status.class));
  }

  private RouteAnswer ready() {
    if (isClosing.getAsBoolean()) {
      throw Problem.unavailable("the server is about to stop");
    }
    if (breakdown.hasHappened()) {
      throw Problem.unavailable("a thread of the server died: restart it; its log has the cause");
    }
    Restored restored = hapax.restored();
    if (restored != null) {
      throw Problem.restored(restored.text());
    }
    if (!hapax.isWritable()) {
      throw Problem.unavailable("the store cannot be written to");
    }
    if (!store.answers()) {
      throw Problem.unavailable("the store does not answer");
    }
    return RouteAnswer.ok(OK);
  }
}
