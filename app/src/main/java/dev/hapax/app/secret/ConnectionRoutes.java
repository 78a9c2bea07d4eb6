package dev.hapax.app.secret;

import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowSubject;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.app.wire.Page;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Connections over HTTP. They name secrets and never hold one. */
public final class ConnectionRoutes {
  private final ConnectionBook connections;
  private final Predicate<Call> mayReachPrivateHosts;
  private final SecretBindings secrets;

  /**
   * The routes of a server.
   *
   * @param mayReachPrivateHosts whether the caller may open a way into the server's own network; a
   *     tenant may not do that by itself
   */
  public ConnectionRoutes(
      ConnectionBook connections, SecretBindings secrets, Predicate<Call> mayReachPrivateHosts) {
    this.secrets = secrets;
    this.connections = connections;
    this.mayReachPrivateHosts = mayReachPrivateHosts;
  }

  public List<Route> routes() {
    String one = "/api/connections/{name}";
    return List.of(
        Route.get("/api/connections", TokenScope.CONNECTIONS_READ, "List connections", this::list)
            .about(FlowSubject.SHARED)
            .givesPage(ConnectionBook.Saved.class),
        Route.get(one, TokenScope.CONNECTIONS_READ, "Get a connection", this::get)
            .about(FlowSubject.SHARED)
            .gives(200, ConnectionBook.Saved.class),
        Route.put(one, TokenScope.CONNECTIONS_WRITE, "Write a connection", this::put)
            .about(FlowSubject.SHARED)
            .takes(ConnectionForm.class)
            .gives(200, ConnectionBook.Saved.class),
        Route.delete(one, TokenScope.CONNECTIONS_WRITE, "Delete a connection", this::delete)
            .about(FlowSubject.SHARED)
            .gives(204, Void.class));
  }

  private RouteAnswer list(Call call) {
    call.allowQuery("after", "limit");
    List<ConnectionBook.Saved> found =
        connections.list(call.actor().tenant(), call.query("after"), call.limit() + 1);
    return RouteAnswer.ok(
        Page.of(found, call.limit(), ConnectionBook.Saved::shown, ConnectionBook.Saved::name));
  }

  private RouteAnswer get(Call call) {
    Stored<ConnectionBook.Saved> found = connections.get(call.actor().tenant(), call.path("name"));
    if (found == null) {
      throw missing(call);
    }
    return shown(found);
  }

  private RouteAnswer put(Call call) {
    JsonNode body = call.json();
    var form = new ConnectionReader(call.json(ConnectionForm.class)); // refuses unknown members
    if (!form.privateHosts().isEmpty() && !mayReachPrivateHosts.test(call)) {
      throw Problem.forbidden(
          "privateHosts: only an admin of the operator's tenant may open the server's own network");
    }
    form.connection(call.path("name")); // refuses an unusable one first
    secrets.refuseUnlessAllowed(call, form);
    Outcome<ConnectionBook.Saved> outcome =
        connections.put(
            call.actor().tenant(), call.path("name"), body, call.actor().name(), version(call));
    if (!outcome.written()) {
      throw Problem.stale("the connection was changed meanwhile: read it and try again");
    }
    secrets.bind(call, form);
    return shown(Objects.requireNonNull(outcome.standing()));
  }

  private RouteAnswer delete(Call call) {
    if (!connections.delete(call.actor().tenant(), call.path("name"))) {
      throw missing(call);
    }
    return RouteAnswer.noContent();
  }

  private static Problem missing(Call call) {
    return Problem.notFound(
        "there is no connection '%s': nothing was sent. Set it, and the delivery continues"
            .formatted(call.path("name")));
  }

  private static RouteAnswer shown(Stored<ConnectionBook.Saved> saved) {
    return RouteAnswer.ok(saved.value().shown()).header("ETag", "\"" + saved.version() + "\"");
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
