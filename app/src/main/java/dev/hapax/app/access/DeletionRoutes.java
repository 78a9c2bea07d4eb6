package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Names;
import dev.hapax.flow.TenantContent;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes tenants. {@code GET} says what would go and what hinders it, and later what is left. */
final class DeletionRoutes {
  private static final String PATH = "/api/tenants/{name}/deletion";

  private final TenantBook tenants;
  private final TermsBook terms;
  private final TenantEraser eraser;
  private final Kv map;
  private final AuditLog audit;
  private final Clock clock;

  /**
   * A deletion, or what it would delete.
   *
   * @param state of the tenant
   * @param left what the store keeps of it
   * @param records tokens, flows, releases, drafts, connections, secrets and webhook addresses
   * @param hindrances why it cannot begin
   * @param deletion null if it has not begun
   */
  private record DeletionView(
      String tenant,
      String state,
      TenantContent left,
      long records,
      List<String> hindrances,
      TenantTerms.@Nullable Deletion deletion) {}

  private record DeletionBody(
      @Nullable String confirm, @Nullable String reason, @Nullable Boolean force) {}

  DeletionRoutes(
      TenantBook tenants,
      TermsBook terms,
      TenantEraser eraser,
      Kv map,
      AuditLog audit,
      Clock clock) {
    this.tenants = tenants;
    this.terms = terms;
    this.eraser = eraser;
    this.map = map;
    this.audit = audit;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        Route.get(
                PATH,
                TokenScope.ADMIN,
                "Get what the deletion of a tenant would erase, or has left to erase",
                OperatorRoutes.operator(
                    call -> RouteAnswer.ok(shown(tenants.existing(call.path("name")).name()))))
            .gives(200, DeletionView.class),
        Route.post(
                PATH,
                TokenScope.ADMIN,
                "Delete a suspended tenant and all that it has; this cannot be undone",
                OperatorRoutes.operator(this::delete))
            .takes(DeletionBody.class)
            .gives(200, DeletionView.class));
  }

  private DeletionView shown(String tenant) {
    TenantTerms now = terms.of(tenant);
    TenantEraser.Left left = eraser.left(tenant);
    return new DeletionView(
        tenant,
        now.state(),
        left.content(),
        left.records(),
        now.deletion() == null ? hindrances(now, left, false) : List.of(),
        now.deletion());
  }

  private static List<String> hindrances(
      TenantTerms now, TenantEraser.Left left, boolean isForced) {
    var all = new ArrayList<String>();
    if (now.tenant().equals(TenantBook.OPERATOR)) {
      all.add("the operator's own tenant cannot be deleted");
    } else if (now.suspended() == null) {
      all.add("it is not suspended: suspend it first");
    }
    long open = left.content().openEffects();
    if (open > 0 && !isForced) {
      all.add(
          "%,d effects are in flight, in doubt or in review, and nothing would know what became of them: resume the tenant and settle them, or say force with a reason"
              .formatted(open));
    }
    return all;
  }

  /** A second call changes nothing: the first reason counts. */
  private RouteAnswer delete(Call call) {
    String tenant = tenants.existing(call.path("name")).name();
    DeletionBody body = call.jsonOrEmpty(DeletionBody.class);
    if (!tenant.equals(body.confirm())) {
      throw Problem.invalidInput(
          "confirm: expected the name of the tenant, '%s', because a deletion cannot be undone"
              .formatted(tenant));
    }
    String reason = body.reason();
    if (reason == null || reason.isBlank()) {
      throw Problem.invalidInput("reason: expected a text for the audit log, got nothing");
    }
    Names.text("reason", reason);
    if (terms.of(tenant).deletion() == null) {
      begin(tenant, reason, Boolean.TRUE.equals(body.force()), call.actor().name());
    }
    return RouteAnswer.ok(shown(tenant));
  }

  private void begin(String tenant, String reason, boolean isForced, String by) {
    TenantEraser.Left left = eraser.left(tenant);
    refuse(hindrances(terms.of(tenant), left, isForced));
    audit.append(tenant, by, isForced ? "delete tenant by force" : "delete tenant", tenant, reason);
    audit.append(
        TenantBook.OPERATOR,
        by,
        isForced ? "delete tenant by force" : "delete tenant",
        tenant,
        reason);
    long rows = left.content().rows() + left.records();
    var deletion = new TenantTerms.Deletion(reason, clock.now(), by, isForced, rows, null);
    TenantTerms after =
        terms.change(
            map,
            tenant,
            before ->
                before.deletion() != null || before.suspended() == null
                    ? before
                    : before.deletion(deletion));
    if (after.deletion() == null) { // it was resumed meanwhile
      refuse(hindrances(after, left, isForced));
    }
  }

  private static void refuse(List<String> hindrances) {
    if (!hindrances.isEmpty()) {
      throw Problem.notPossible(String.join("; ", hindrances)).with("hindrances", hindrances);
    }
  }
}
