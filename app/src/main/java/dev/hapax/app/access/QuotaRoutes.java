package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import java.util.List;

/** The quotas of tenants. Only the operator sees and sets them. */
final class QuotaRoutes {
  private static final String PATH = "/api/tenants/{name}/quotas";

  private final TenantBook tenants;
  private final TermsBook terms;
  private final Kv map;

  /** Limits, and how much of them is in use. */
  private record QuotaView(String tenant, TenantQuotas quotas, QuotaUse use) {}

  QuotaRoutes(TenantBook tenants, TermsBook terms, Kv map) {
    this.tenants = tenants;
    this.terms = terms;
    this.map = map;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                PATH,
                TokenScope.ADMIN,
                "Get the quotas of a tenant, and what it uses of them",
                OperatorRoutes.operator(call -> shown(tenants.existing(call.path("name")).name())))
            .gives(200, QuotaView.class),
        Route.put(
                PATH,
                TokenScope.ADMIN,
                "Set the quotas of a tenant; what is left out has no limit",
                OperatorRoutes.operator(this::put))
            .takes(TenantQuotas.class)
            .gives(200, QuotaView.class));
  }

  private RouteAnswer put(Call call) {
    String tenant = tenants.existing(call.path("name")).name();
    TenantQuotas quotas = call.json(TenantQuotas.class).checked();
    terms.change(map, tenant, before -> before.quotas(quotas));
    return shown(tenant);
  }

  private RouteAnswer shown(String tenant) {
    TenantQuotas quotas = terms.of(tenant).quotas();
    return RouteAnswer.ok(
        new QuotaView(tenant, quotas == null ? TenantQuotas.NONE : quotas, terms.useOf(tenant)));
  }
}
