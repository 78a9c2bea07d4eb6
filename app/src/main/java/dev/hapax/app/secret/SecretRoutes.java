package dev.hapax.app.secret;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.outside.OutsideSecrets;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Secrets over HTTP: written and listed, never read. No answer has a place for a value. */
public final class SecretRoutes {
  private final Vault vault;
  private final OutsideSecrets outside;
  private final SecretBindings bindings;
  private final Predicate<Call> isOperator;

  /**
   * The secret to write.
   *
   * @param hosts that it may go to; if not given, those that it had, or those of its connections
   */
  private record SecretBody(@Nullable String value, @Nullable List<String> hosts) {
    @Override
    public String toString() {
      return "SecretBody[…]";
    }
  }

  /**
   * The routes of a server.
   *
   * @param isOperator whether the caller may let a secret go without encryption
   */
  public SecretRoutes(
      Vault vault, OutsideSecrets outside, SecretBindings bindings, Predicate<Call> isOperator) {
    this.vault = vault;
    this.outside = outside;
    this.bindings = bindings;
    this.isOperator = isOperator;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
                "/api/secrets",
                TokenScope.SECRETS_WRITE,
                "List the names of the secrets",
                this::list)
            .about(FlowSubject.SHARED)
            .givesPage(SecretView.class),
        Route.put("/api/secrets/{name}", TokenScope.SECRETS_WRITE, "Write a secret", this::put)
            .about(FlowSubject.SHARED)
            .takes(SecretBody.class)
            .gives(204, Void.class),
        Route.delete(
                "/api/secrets/{name}", TokenScope.SECRETS_WRITE, "Delete a secret", this::delete)
            .about(FlowSubject.SHARED)
            .gives(204, Void.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("after", "limit");
    List<SecretView> found =
        SecretView.list(
            vault, outside, bindings, call.actor().tenant(), call.query("after"), call.limit() + 1);
    return RouteAnswer.ok(Page.of(found, call.limit(), UnaryOperator.identity(), SecretView::name));
  }

  private RouteAnswer put(Call call) {
    refuseOutside(call);
    SecretBody body = body(call);
    List<String> hosts = body.hosts() == null ? null : SecretHosts.valid(body.hosts());
    if (hosts != null && SecretHosts.allowsPlain(hosts) && !isOperator.test(call)) {
      throw Problem.forbidden(
          "hosts: only an admin of the operator's tenant may let a secret go without encryption (http://)");
    }
    String tenant = call.actor().tenant();
    String name = call.path("name");
    vault.put(tenant, name, String.valueOf(body.value()), call.actor().name());
    bindings.written(tenant, name, hosts, call.actor().name());
    return RouteAnswer.noContent();
  }

  /** Hides the problems of a body: it may be the secret. */
  private static SecretBody body(Call call) {
    SecretBody body = null;
    try {
      body = call.json(SecretBody.class);
    } catch (Problem refused) {
      if (refused.status() != 400) {
        throw refused;
      }
    }
    if (body == null || body.value() == null) {
      throw Problem.invalidInput(
          "body: expected {\"value\": \"…\"} with a text; your body is not shown, because it may contain the secret");
    }
    return body;
  }

  private void refuseOutside(Call call) {
    String kind = outside.kindOf(call.actor().tenant(), call.path("name"));
    if (kind != null) {
      throw Problem.notPossible(
          "secret '%s' comes from outside (%s), by a setting of the operator. Change it there, or choose another name."
              .formatted(call.path("name"), kind));
    }
  }

  private RouteAnswer delete(Call call) {
    refuseOutside(call);
    if (!vault.delete(call.actor().tenant(), call.path("name"))) {
      throw Problem.notFound("there is no secret '%s'".formatted(call.path("name")));
    }
    bindings.forget(call.actor().tenant(), call.path("name"));
    return RouteAnswer.noContent();
  }
}
