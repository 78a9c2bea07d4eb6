package dev.hapax.app.secret;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Secrets over HTTP: written and listed, never read. No answer has a place for a value. */
public final class SecretRoutes {
  private final Vault vault;

  /** What is written. */
  private record Value(@Nullable String value) {
    @Override
    public String toString() {
      return "Value[…]";
    }
  }

  public SecretRoutes(Vault vault) {
    this.vault = vault;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/secrets", Scope.SECRETS_WRITE, "The names of the secrets", this::list),
        Route.put("/api/secrets/{name}", Scope.SECRETS_WRITE, "Write a secret", this::put),
        Route.delete("/api/secrets/{name}", Scope.SECRETS_WRITE, "Delete a secret", this::delete));
  }

  private Answer list(Call call) {
    call.allowQuery("after", "limit");
    List<Vault.Listed> found = vault.list(call.actor().tenant(), call.query("after"), call.limit());
    return Answer.ok(
        new Page<>(found, found.size() < call.limit() ? null : found.getLast().name()));
  }

  private Answer put(Call call) {
    String value = call.json(Value.class).value();
    if (value == null) {
      throw Problem.invalidInput("body: expected {\"value\": \"…\"}");
    }
    vault.put(call.actor().tenant(), call.path("name"), value, call.actor().name());
    return Answer.noContent();
  }

  private Answer delete(Call call) {
    if (!vault.delete(call.actor().tenant(), call.path("name"))) {
      throw Problem.notFound("there is no secret '%s'".formatted(call.path("name")));
    }
    return Answer.noContent();
  }
}
