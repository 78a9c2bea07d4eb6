package dev.hapax.app.release;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flows.FlowFiles;
import dev.hapax.json.Json;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A server with the routes of flows on a store; the token is the tenant's name. */
public final class Site implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();

  public final Hapax hapax;
  public final LiveFlows live;
  public final Releases releases;
  public final Server server;

  /** Routes of another area over the same flows. */
  @FunctionalInterface
  public interface Area {
    List<Route> of(Site site);
  }

  public Site(Store store, Ports ports, Area... areas) {
    this(store, ports, HapaxOptions.DEFAULT, areas);
  }

  public Site(Store store, Ports ports, HapaxOptions options, Area... areas) {
    this.hapax = Hapax.open(store, options.ports(ports));
    var own = hapax.tenant("hapax/server").kv();
    var book = new ReleaseBook(own);
    Map<String, FlowFiles> files = new ConcurrentHashMap<>();
    this.live =
        new LiveFlows(
            book,
            hapax,
            tenant -> files.computeIfAbsent(tenant, name -> files(ports, name)),
            ports.clock());
    this.releases = new Releases(own, book, live, ports.clock());
    hapax.codeFrom(live);
    List<Route> routes = new ArrayList<>(new FlowRoutes(releases, live).routes());
    for (Area area : areas) {
      routes.addAll(area.of(this));
    }
    releases.follow();
    this.server =
        Server.start(
            new Routes(routes, Site::actor, hapax::tenant, () -> false),
            "127.0.0.1",
            0,
            Duration.ofSeconds(10));
  }

  private FlowFiles files(Ports ports, String tenant) {
    return FlowFiles.with(ports)
        .children(
            name -> {
              var found = live.lastLive(tenant, name);
              return found == null ? null : found.flow();
            })
        .retired(name -> live.isRetired(tenant, name))
        .open();
  }

  /** Behind a colon, the token names the only flow that it may use. */
  private static Actor actor(String token) {
    int at = token.indexOf(':');
    String tenant = at < 0 ? token : token.substring(0, at);
    String name = tenant + "'s admin";
    return new Actor(
        name,
        name,
        tenant,
        Set.of(TokenScope.ADMIN),
        Set.of(),
        at < 0 ? FlowLimit.ALL : new FlowLimit(List.of(token.substring(at + 1)), List.of()));
  }

  public Reply get(String path) {
    return send("GET", path, null, Map.of());
  }

  public Reply post(String path, Object body) {
    return send("POST", path, Json.write(body), Map.of("Content-Type", "application/json"));
  }

  public Reply put(String path, Object body) {
    return send("PUT", path, Json.write(body), Map.of("Content-Type", "application/json"));
  }

  public Reply putDraft(String flow, String yaml, String... headers) {
    var all = new HashMap<String, String>();
    all.put("Content-Type", "application/yaml");
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return send("PUT", "/api/flows/" + flow + "/draft", yaml, all);
  }

  /** Puts, releases and promotes. */
  public int goLive(String flow, String yaml) {
    putDraft(flow, yaml);
    Reply released = post("/api/flows/" + flow + "/releases", Map.of());
    if (released.status() >= 300) {
      throw new AssertionError(released.text());
    }
    int release = released.json().path("release").asInt();
    put("/api/flows/" + flow + "/live", Map.of("release", release));
    return release;
  }

  public Reply send(
      String method, String path, @Nullable String body, Map<String, String> headers) {
    return sendAs("acme", method, path, body, headers);
  }

  public Reply sendAs(
      String tenant,
      String method,
      String path,
      @Nullable String body,
      Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(server.address().resolve(path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + tenant);
    headers.forEach(request::header);
    try {
      return new Reply(client.send(request.build(), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the server said. */
  public record Reply(HttpResponse<String> response) {
    public int status() {
      return response.statusCode();
    }

    public String text() {
      return response.body();
    }

    public JsonNode json() {
      return Json.tree(response.body());
    }

    public @Nullable String header(String name) {
      return response.headers().firstValue(name).orElse(null);
    }
  }

  @Override
  public void close() {
    client.shutdownNow(); // else the server waits a second for its idle connections
    server.close();
    hapax.close();
  }
}
