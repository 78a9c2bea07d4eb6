package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Names;
import dev.hapax.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Suspends and resumes tenants. The operator's log has a line of each call, and the tenant's own
 * log a line with the reason.
 */
final class SuspensionRoutes {
  private final TenantBook tenants;
  private final TermsBook terms;
  private final Kv map;
  private final AuditLog audit;
  private final Clock clock;

  private record ReasonBody(@Nullable String reason) {}

  SuspensionRoutes(TenantBook tenants, TermsBook terms, Kv map, AuditLog audit, Clock clock) {
    this.tenants = tenants;
    this.terms = terms;
    this.map = map;
    this.audit = audit;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                "/api/tenants/{name}",
                TokenScope.ADMIN,
                "Get a tenant",
                OperatorRoutes.operator(call -> shown(existing(call))))
            .gives(200, TenantView.class),
        Route.post(
                "/api/tenants/{name}/suspend",
                TokenScope.ADMIN,
                "Suspend a tenant: its tokens are refused and its runs wait",
                OperatorRoutes.operator(this::suspend))
            .takes(ReasonBody.class)
            .gives(200, TenantView.class),
        Route.post(
                "/api/tenants/{name}/resume",
                TokenScope.ADMIN,
                "Resume a suspended tenant",
                OperatorRoutes.operator(this::resume))
            .takes(ReasonBody.class)
            .gives(200, TenantView.class));
  }

  private TenantBook.Tenant existing(Call call) {
    return tenants.existing(call.path("name"));
  }

  private RouteAnswer shown(TenantBook.Tenant tenant) {
    return RouteAnswer.ok(TenantView.of(tenant, terms));
  }

  /** A second call changes nothing: the first reason counts. */
  private RouteAnswer suspend(Call call) {
    TenantBook.Tenant tenant = existing(call);
    String reason = call.jsonOrEmpty(ReasonBody.class).reason();
    if (reason == null || reason.isBlank()) {
      throw Problem.invalidInput("reason: expected a text for the audit log, got nothing");
    }
    if (tenant.name().equals(TenantBook.OPERATOR)) {
      throw Problem.notPossible(
          "the operator's own tenant cannot be suspended. Revoke its tokens, or stop the server");
    }
    Names.text("reason", reason);
    String by = call.actor().name();
    audit.append(tenant.name(), by, "suspend tenant", tenant.name(), reason);
    terms.change(
        map,
        tenant.name(),
        before ->
            before.suspended() != null
                ? before
                : before.suspended(new TenantTerms.Suspended(reason, clock.now(), by)));
    return shown(tenant);
  }

  private RouteAnswer resume(Call call) {
    TenantBook.Tenant tenant = existing(call);
    String reason = call.jsonOrEmpty(ReasonBody.class).reason();
    refuseDeleted(terms.of(tenant.name()));
    String why = reason == null || reason.isBlank() ? "no reason given" : reason;
    Names.text("reason", why);
    audit.append(tenant.name(), call.actor().name(), "resume tenant", tenant.name(), why);
    terms.change(
        map,
        tenant.name(),
        before -> {
          refuseDeleted(before);
          return before.suspended(null);
        });
    return shown(tenant);
  }

  private static void refuseDeleted(TenantTerms terms) {
    if (terms.deletion() != null) {
      throw Problem.notPossible(
          "tenant '%s' is %s: it cannot be resumed. Create another one"
              .formatted(terms.tenant(), terms.state()));
    }
  }
}
