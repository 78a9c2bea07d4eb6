package dev.hapax.app.access;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The audit log of the caller's tenant over HTTP. */
public final class AuditRoutes {
  private final AuditLog log;

  public AuditRoutes(AuditLog log) {
    this.log = log;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/audit", Scope.ADMIN, "The audit log, oldest first", this::list)
            .givesPage(AuditEntry.class),
        Route.get(
                "/api/audit/verification",
                Scope.ADMIN,
                "Whether the audit log is as it was written",
                call -> Answer.ok(log.verify(call.actor().tenant())))
            .gives(200, AuditLog.Verified.class));
  }

  private Answer list(Call call) {
    call.allowQuery("after", "limit");
    List<AuditEntry> found =
        log.list(call.actor().tenant(), number(call.query("after")), call.limit() + 1);
    return Answer.ok(
        Page.of(
            found, call.limit(), UnaryOperator.identity(), entry -> Long.toString(entry.number())));
  }

  private static long number(@Nullable String after) {
    try {
      return after == null ? 0 : Long.parseLong(after);
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("after: expected the number of a line, got '%s'".formatted(after));
    }
  }
}
