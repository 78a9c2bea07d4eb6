package dev.hapax.app.access;

import dev.hapax.Hapax;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import dev.hapax.store.Restored;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The audit log of the caller's tenant over HTTP. */
public final class AuditRoutes {
  private final AuditLog log;
  private final Hapax opened;

  public AuditRoutes(AuditLog log, Hapax opened) {
    this.log = log;
    this.opened = opened;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/audit", Scope.ADMIN, "The audit log, oldest first", this::list)
            .givesPage(AuditEntry.class),
        Route.get(
                "/api/audit/verification",
                Scope.ADMIN,
                "Whether the audit log is as it was written",
                call -> Answer.ok(withGaps(log.verify(call.actor().tenant()))))
            .gives(200, AuditLog.Verified.class));
  }

  /** Adds the gaps: a restored store lacks the lines that were written after its copy was made. */
  private AuditLog.Verified withGaps(AuditLog.Verified verified) {
    List<AuditLog.Gap> gaps = new ArrayList<>();
    opened.restores().forEach(one -> gaps.add(new AuditLog.Gap(one.lostSince(), one.notedAt())));
    Restored now = opened.restored();
    if (now != null) {
      gaps.add(new AuditLog.Gap(now.lostSince(), null));
    }
    return verified.with(gaps);
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
