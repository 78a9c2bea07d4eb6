package dev.hapax.app.access;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.RouteHandler;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.Vault;
import dev.hapax.app.wire.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Routes for the whole server: only an admin of the operator's own tenant may call them. A new
 * tenant has no token yet; the operator creates its first one, and the tenant creates all others.
 */
public final class OperatorRoutes {
  private final TenantBook tenants;
  private final TermsBook terms;
  private final TokenBook tokens;
  private final Vault vault;

  private record TenantBody(@Nullable String name) {}

  public OperatorRoutes(TenantBook tenants, TermsBook terms, TokenBook tokens, Vault vault) {
    this.tenants = tenants;
    this.terms = terms;
    this.tokens = tokens;
    this.vault = vault;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/tenants", TokenScope.ADMIN, "List tenants", operator(this::list))
            .givesPage(TenantView.class),
        Route.post("/api/tenants", TokenScope.ADMIN, "Create a tenant", operator(this::create))
            .takes(TenantBody.class)
            .gives(201, TenantView.class),
        Route.post(
                "/api/tenants/{name}/tokens",
                TokenScope.ADMIN,
                "Create an admin token for a tenant; it is shown once",
                operator(this::createToken))
            .gives(201, TokenView.Created.class),
        Route.post(
                "/api/rekey",
                TokenScope.ADMIN,
                "Encrypt all secrets with the current master key",
                operator(_ -> RouteAnswer.ok(vault.rekey())))
            .gives(200, Vault.Rekeyed.class));
  }

  /** Returns whether the caller operates the server. */
  public static boolean isOperator(Call call) {
    return call.actor().tenant().equals(TenantBook.OPERATOR) && call.actor().may(TokenScope.ADMIN);
  }

  /** Returns the handler for callers who operate the server; refuses all others. */
  static RouteHandler operator(RouteHandler handler) {
    return call -> {
      if (!isOperator(call)) {
        throw Problem.forbidden("only an admin of the operator's tenant may do this");
      }
      return handler.handle(call);
    };
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("after", "limit");
    List<TenantBook.Tenant> found = tenants.list(call.query("after"), call.limit() + 1);
    return RouteAnswer.ok(
        Page.of(
            found, call.limit(), tenant -> TenantView.of(tenant, terms), TenantBook.Tenant::name));
  }

  private RouteAnswer create(Call call) {
    String name = call.json(TenantBody.class).name();
    if (name == null) {
      throw Problem.invalidInput("body: expected {\"name\": \"…\"}");
    }
    TenantBook.Tenant made = tenants.create(name, call.actor().name());
    if (made == null) {
      throw Problem.notPossible(
          "tenant '%s' exists already, or existed. Choose another name".formatted(name));
    }
    return RouteAnswer.created(TenantView.of(made, terms), "/api/tenants/" + name);
  }

  private RouteAnswer createToken(Call call) {
    String tenant = call.path("name");
    tenants.existing(tenant);
    if (terms.of(tenant).deletion() != null) {
      throw Problem.notPossible("tenant '%s' is deleted: it gets no token".formatted(tenant));
    }
    TokenBook.Made made =
        tokens.create(
            new TokenBook.Wanted(
                tenant, "admin", List.of(TokenScope.ADMIN.word()), List.of("admin"), null, null),
            call.actor().name());
    return RouteAnswer.created(TokenView.Created.of(made), "/api/tokens/" + made.token().id());
  }
}
