package dev.hapax.app.access;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Handler;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.secret.Vault;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Routes for the whole server: only an admin of the operator's own tenant may call them. A new
 * tenant has no token yet; the operator creates its first one, and the tenant creates all others.
 */
public final class OperatorRoutes {
  private final TenantBook tenants;
  private final TokenBook tokens;
  private final Vault vault;

  private record TenantBody(@Nullable String name) {}

  public OperatorRoutes(TenantBook tenants, TokenBook tokens, Vault vault) {
    this.tenants = tenants;
    this.tokens = tokens;
    this.vault = vault;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/tenants", Scope.ADMIN, "The tenants", operator(this::list))
            .givesPage(TenantBook.Tenant.class),
        Route.post("/api/tenants", Scope.ADMIN, "Make a tenant", operator(this::create))
            .takes(TenantBody.class)
            .gives(201, TenantBook.Tenant.class),
        Route.post(
                "/api/tenants/{name}/tokens",
                Scope.ADMIN,
                "Make an admin token of a tenant, shown once",
                operator(this::createToken))
            .gives(201, TokenView.Created.class),
        Route.post(
                "/api/rekey",
                Scope.ADMIN,
                "Put all secrets under the current master key",
                operator(_ -> Answer.ok(vault.rekey())))
            .gives(200, Vault.Rekeyed.class));
  }

  /** Returns whether the caller operates the server. */
  public static boolean isOperator(Call call) {
    return call.actor().tenant().equals(TenantBook.OPERATOR) && call.actor().may(Scope.ADMIN);
  }

  private static Handler operator(Handler handler) {
    return call -> {
      if (!isOperator(call)) {
        throw Problem.forbidden("only an admin of the operator's tenant may do this");
      }
      return handler.handle(call);
    };
  }

  private Answer list(Call call) {
    call.allowQuery("after", "limit");
    List<TenantBook.Tenant> found = tenants.list(call.query("after"), call.limit() + 1);
    return Answer.ok(
        Page.of(found, call.limit(), UnaryOperator.identity(), TenantBook.Tenant::name));
  }

  private Answer create(Call call) {
    String name = call.json(TenantBody.class).name();
    if (name == null) {
      throw Problem.invalidInput("body: expected {\"name\": \"…\"}");
    }
    TenantBook.Tenant made = tenants.create(name, call.actor().name());
    if (made == null) {
      throw Problem.notPossible("there is a tenant '%s' already".formatted(name));
    }
    return Answer.created(made, "/api/tenants/" + name);
  }

  private Answer createToken(Call call) {
    String tenant = call.path("name");
    if (!tenants.exists(tenant)) {
      throw Problem.notFound("there is no tenant '%s'".formatted(tenant));
    }
    TokenBook.Made made =
        tokens.create(
            new TokenBook.Wanted(
                tenant, "admin", List.of(Scope.ADMIN.word()), List.of("admin"), null, null),
            call.actor().name());
    return Answer.created(TokenView.Created.of(made), "/api/tokens/" + made.token().id());
  }
}
