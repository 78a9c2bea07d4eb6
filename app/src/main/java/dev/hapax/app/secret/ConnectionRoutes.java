package dev.hapax.app.secret;

import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Scope;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Connections over HTTP. They name secrets and never hold one. */
public final class ConnectionRoutes {
  private final ConnectionBook connections;
  private final Predicate<Call> mayReachPrivateHosts;

  /**
   * The routes of a server.
   *
   * @param mayReachPrivateHosts whether the caller may open a way into the server's own network; a
   *     tenant may not do that by itself
   */
  public ConnectionRoutes(ConnectionBook connections, Predicate<Call> mayReachPrivateHosts) {
    this.connections = connections;
    this.mayReachPrivateHosts = mayReachPrivateHosts;
  }

  public List<Route> routes() {
    String one = "/api/connections/{name}";
    return List.of(
        Route.get("/api/connections", Scope.CONNECTIONS_READ, "The connections", this::list)
            .givesPage(ConnectionBook.Saved.class),
        Route.get(one, Scope.CONNECTIONS_READ, "A connection", this::get)
            .gives(200, ConnectionBook.Saved.class),
        Route.put(one, Scope.CONNECTIONS_WRITE, "Write a connection", this::put)
            .takes(ConnectionForm.class)
            .gives(200, ConnectionBook.Saved.class),
        Route.delete(one, Scope.CONNECTIONS_WRITE, "Delete a connection", this::delete)
            .gives(204, Void.class));
  }

  private Answer list(Call call) {
    call.allowQuery("after", "limit");
    List<ConnectionBook.Saved> found =
        connections.list(call.actor().tenant(), call.query("after"), call.limit() + 1);
    return Answer.ok(
        Page.of(found, call.limit(), UnaryOperator.identity(), ConnectionBook.Saved::name));
  }

  private Answer get(Call call) {
    Stored<ConnectionBook.Saved> found = connections.get(call.actor().tenant(), call.path("name"));
    if (found == null) {
      throw missing(call);
    }
    return shown(found);
  }

  private Answer put(Call call) {
    JsonNode body = call.json();
    ConnectionForm form = call.json(ConnectionForm.class); // refuses unknown members
    if (!form.privateHosts().isEmpty() && !mayReachPrivateHosts.test(call)) {
      throw Problem.forbidden(
          "privateHosts: only an admin of the operator's tenant may open the server's own network");
    }
    Outcome<ConnectionBook.Saved> outcome =
        connections.put(
            call.actor().tenant(), call.path("name"), body, call.actor().name(), version(call));
    if (!outcome.written()) {
      throw Problem.stale("the connection was changed meanwhile: read it and try again");
    }
    return shown(Objects.requireNonNull(outcome.standing()));
  }

  private Answer delete(Call call) {
    if (!connections.delete(call.actor().tenant(), call.path("name"))) {
      throw missing(call);
    }
    return Answer.noContent();
  }

  private static Problem missing(Call call) {
    return Problem.notFound("there is no connection '%s'".formatted(call.path("name")));
  }

  private static Answer shown(Stored<ConnectionBook.Saved> saved) {
    return Answer.ok(saved.value()).header("ETag", "\"" + saved.version() + "\"");
  }

  private static @Nullable Long version(Call call) {
    String tag = call.header("If-Match");
    if (tag == null) {
      return null;
    }
    try {
      return Long.parseLong(tag.replace("\"", "").strip());
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("If-Match: expected the ETag of an answer");
    }
  }
}
