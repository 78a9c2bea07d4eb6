package dev.hapax.app.deploy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.access.AccessControl;
import dev.hapax.app.access.BrowserSessions;
import dev.hapax.app.access.RequestLimits;
import dev.hapax.app.access.TermsBook;
import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowRoutes;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.ReleaseBook;
import dev.hapax.app.release.Releases;
import dev.hapax.app.schedule.LiveSchedules;
import dev.hapax.app.secret.outside.SourcesFile;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.json.Json;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The parts of a server that deployments need, on any store; called without HTTP. */
final class DeploySite implements AutoCloseable {
  static final String TENANT = "acme";

  private final Ports ports = Ports.system();
  private final List<Route> routes;
  private final Map<String, FlowFiles> files = new ConcurrentHashMap<>();
  final Hapax hapax;
  final LiveFlows live;
  final Releases releases;
  final TenantAlerts alerts;
  final List<String> opened = new CopyOnWriteArrayList<>();

  DeploySite(Store store, Path folder) throws IOException {
    this(store, folder, false);
  }

  DeploySite(Store store, Path folder, boolean byTwo) throws IOException {
    this.hapax = Hapax.open(store, HapaxOptions.DEFAULT.ports(ports).closeWithin(Duration.ZERO));
    var terms = new TermsBook(store, ports);
    var access =
        AccessControl.open(
            hapax,
            store,
            terms,
            folder,
            SourcesFile.read(null, ports.clock()),
            new RequestLimits(null, null, null),
            new BrowserSessions.Place("", "127.0.0.1", false),
            ports);
    Kv own = ServerMap.of(hapax);
    this.alerts = new TenantAlerts(own, ports.clock(), opened::add);
    var book = new ReleaseBook(own);
    this.live =
        new LiveFlows(
            book,
            hapax,
            tenant -> files.computeIfAbsent(tenant, name -> files(access, name)),
            ports.clock());
    this.releases = new Releases(own, book, live, ports.clock());
    releases.onPromotion(new LiveSchedules(hapax::tenant));
    releases.signingSecrets((tenant, secret) -> access.secrets(tenant).has(secret));
    hapax.codeFrom(live);
    releases.follow();
    alerts.follow();
    List<Route> all = new ArrayList<>(new FlowRoutes(releases, live, !byTwo).routes());
    all.addAll(
        new DeploymentRoutes(
                own,
                new FlowBatch(releases, ports.clock()),
                access.connectionBatch(),
                alerts,
                access.audit(),
                ports.clock(),
                byTwo)
            .routes());
    all.addAll(access.routes());
    this.routes = all;
  }

  private FlowFiles files(AccessControl access, String tenant) {
    return FlowFiles.with(ports)
        .connections(access.connections(tenant))
        .secrets(access.secrets(tenant))
        .children(
            name -> {
              LoadedFlow found = live.lastLive(tenant, name);
              return found == null ? null : found.flow();
            })
        .retired(name -> live.isRetired(tenant, name))
        .open();
  }

  static Actor actor(String name) {
    return actor(name, FlowLimit.ALL, TokenScope.ADMIN);
  }

  static Actor actor(String name, FlowLimit limit, TokenScope... scopes) {
    return new Actor("token:" + name, name, TENANT, Set.of(scopes), Set.of(), limit);
  }

  /** An answer, or the problem that was thrown. */
  record Reply(int status, JsonNode body) {
    String at(String pointer) {
      JsonNode found = body.at(pointer);
      return found.isString() ? found.stringValue() : found.toString();
    }
  }

  Reply call(Actor actor, String method, String path, @Nullable Object body) {
    for (Route route : routes) {
      Map<String, String> parameters = parameters(route, path);
      if (route.method().name().equals(method) && parameters != null) {
        return call(actor, route, new PlainRequest(path, parameters, body));
      }
    }
    throw new AssertionError("no route for " + method + " " + path);
  }

  private Reply call(Actor actor, Route route, Request request) {
    try {
      if (!actor.may(route.scope())) {
        throw Problem.forbidden("the token needs " + route.scope().word());
      }
      var call = new Call(request, actor, hapax::tenant, releases.labels());
      RouteAnswer answer = route.handler().handle(call);
      return new Reply(
          answer.status(),
          answer.body() instanceof RouteAnswer.Json(var value)
              ? Json.tree(Json.write(value))
              : Json.tree("null"));
    } catch (Problem problem) {
      return new Reply(problem.status(), Json.tree(Json.write(problem.body())));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Map<String, String> parameters(Route route, String path) {
    String[] wanted = route.path().split("/", -1);
    String[] given = path.split("/", -1);
    if (wanted.length != given.length) {
      return null;
    }
    var parameters = new LinkedHashMap<String, String>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        parameters.put(wanted[i].replaceAll("[{+}]", ""), given[i]);
      } else if (!wanted[i].equals(given[i])) {
        return null;
      }
    }
    return parameters;
  }

  /** Plans and carries the plan out. */
  Reply deploy(Actor actor, Map<String, Object> folder) {
    Reply plan = plan(actor, folder);
    return plan.status() == 200 ? apply(actor, folder, plan.at("/plan")) : plan;
  }

  Reply plan(Actor actor, Map<String, Object> folder) {
    return call(actor, "POST", "/api/deployments/plan", folder);
  }

  Reply apply(Actor actor, Map<String, Object> folder, String plan) {
    var body = new LinkedHashMap<>(folder);
    body.put("plan", plan);
    return call(actor, "POST", "/api/deployments", body);
  }

  /** A folder of these flow files. */
  static Map<String, Object> folder(Map<String, Object> connections, String... flows) {
    var sources = new ArrayList<Map<String, String>>();
    for (String text : flows) {
      sources.add(Map.of("file", "flow-%d.yaml".formatted(sources.size()), "text", text));
    }
    var folder = new LinkedHashMap<String, Object>();
    folder.put("flows", sources);
    folder.put("connections", connections);
    return folder;
  }

  /** The same folder; what it had before and has no longer is retired. */
  static Map<String, Object> pruning(Map<String, Object> folder) {
    return with(folder, "prune", true);
  }

  static Map<String, Object> with(Map<String, Object> folder, String name, Object value) {
    var more = new LinkedHashMap<>(folder);
    more.put(name, value);
    return more;
  }

  private record PlainRequest(String path, Map<String, String> parameters, @Nullable Object json)
      implements Request {
    @Override
    public String pathParameter(String name) {
      return String.valueOf(parameters.get(name));
    }

    @Override
    public List<String> queryParameters(String name) {
      return List.of();
    }

    @Override
    public List<String> queryNames() {
      return List.of();
    }

    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }

    @Override
    public byte[] body() {
      return json == null ? new byte[0] : text(json).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object body) {
      return body instanceof String text ? text : Json.write(body);
    }

    @Override
    public byte[] bodyToParse() {
      return body();
    }

    @Override
    public void forgetBody() {}

    @Override
    public String remoteAddress() {
      return "127.0.0.1";
    }
  }

  @Override
  public void close() {
    try {
      hapax.close();
    } catch (RuntimeException e) {
      // a process that is dead cannot close its store
    }
    files.values().forEach(FlowFiles::close);
  }
}
