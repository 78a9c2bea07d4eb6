package dev.hapax.app.secret;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Secrets over HTTP: written and listed, never read. No answer has a place for a value. */
public final class SecretRoutes {
  private final Vault vault;

  /** The secret to write. */
  private record SecretBody(@Nullable String value) {
    @Override
    public String toString() {
      return "SecretBody[…]";
    }
  }

  public SecretRoutes(Vault vault) {
    this.vault = vault;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/secrets", Scope.SECRETS_WRITE, "The names of the secrets", this::list)
            .givesPage(Vault.Listed.class),
        Route.put("/api/secrets/{name}", Scope.SECRETS_WRITE, "Write a secret", this::put)
            .takes(SecretBody.class)
            .gives(204, Void.class),
        Route.delete("/api/secrets/{name}", Scope.SECRETS_WRITE, "Delete a secret", this::delete)
            .gives(204, Void.class));
  }

  private Answer list(Call call) {
    call.allowQuery("after", "limit");
    List<Vault.Listed> found =
        vault.list(call.actor().tenant(), call.query("after"), call.limit() + 1);
    return Answer.ok(Page.of(found, call.limit(), UnaryOperator.identity(), Vault.Listed::name));
  }

  private Answer put(Call call) {
    vault.put(call.actor().tenant(), call.path("name"), value(call), call.actor().name());
    return Answer.noContent();
  }

  /** Hides the problems of a body: it may be the secret. */
  private static String value(Call call) {
    String value = null;
    try {
      value = call.json(SecretBody.class).value();
    } catch (Problem refused) {
      if (refused.status() != 400) {
        throw refused;
      }
    }
    if (value == null) {
      throw Problem.invalidInput(
          "body: expected {\"value\": \"…\"} with a text; what came is not shown, it may hold the secret");
    }
    return value;
  }

  private Answer delete(Call call) {
    if (!vault.delete(call.actor().tenant(), call.path("name"))) {
      throw Problem.notFound("there is no secret '%s'".formatted(call.path("name")));
    }
    return Answer.noContent();
  }
}
