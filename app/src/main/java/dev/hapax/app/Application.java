package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.app.access.AccessControl;
import dev.hapax.app.access.RequestLimits;
import dev.hapax.app.api.ApprovalDesk;
import dev.hapax.app.api.ApprovalPage;
import dev.hapax.app.api.Backups;
import dev.hapax.app.api.CallbackDoor;
import dev.hapax.app.api.Effects;
import dev.hapax.app.api.Flows;
import dev.hapax.app.api.KvMap;
import dev.hapax.app.api.ResourceShelf;
import dev.hapax.app.api.Restores;
import dev.hapax.app.api.Runs;
import dev.hapax.app.api.Starts;
import dev.hapax.app.api.Waiting;
import dev.hapax.app.config.Settings;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.Carrier;
import dev.hapax.app.http.Mount;
import dev.hapax.app.http.OpenApi;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.observe.EventStream;
import dev.hapax.app.observe.Health;
import dev.hapax.app.observe.Metrics;
import dev.hapax.app.observe.ObservedStore;
import dev.hapax.app.observe.RunFeed;
import dev.hapax.app.observe.RunLogs;
import dev.hapax.app.observe.StoreWatch;
import dev.hapax.app.observe.Traces;
import dev.hapax.app.release.FlowRoutes;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.ReleaseBook;
import dev.hapax.app.release.Releases;
import dev.hapax.app.schedule.LiveSchedules;
import dev.hapax.app.schedule.ScheduleRoutes;
import dev.hapax.app.webhook.SigningSecrets;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connection;
import dev.hapax.kv.Kv;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.store.destination.PostgresPlace;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a server together: the engine on its store, and the routes in front of it. */
final class Application implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Application.class);

  private static final FileAttribute<?> ONLY_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final Duration FOLLOW = Duration.ofSeconds(1);

  private final Settings settings;
  private final Ports ports = Ports.system();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final Signal stopped = ports.threads().signal();
  private final Metrics metrics = new Metrics();
  private final @Nullable Traces traces;
  private final RunFeed feed = new RunFeed(ports.clock());
  private final Hapax hapax;
  private final AccessControl access;
  private final LiveFlows live;
  private final Releases releases;
  private final StoreWatch watch;
  private final Routes routes;
  private final Extras extras;
  private final Carrier carrier;

  private Application(Settings settings, Extras extras) throws IOException {
    this.settings = settings;
    this.extras = extras;
    Files.createDirectories(settings.data(), ONLY_OWNER);
    this.traces = openTraces();
    Store store = StoreOfSettings.open(settings, extras.database(), ports.threads());
    if (traces != null) {
      traces.runsFrom(store::run);
    }
    this.hapax = Hapax.open(new ObservedStore(store, this::committed), options());
    this.access = openAccess();
    Kv own = ServerMap.of(hapax);
    var book = new ReleaseBook(own);
    this.live = new LiveFlows(book, hapax, filesOfTenants(extras.files()), ports.clock());
    this.releases = new Releases(own, book, live, ports.clock());
    releases.inJava(extras.flows().stream().map(Flow::name).collect(Collectors.toSet()));
    extras.flows().forEach(hapax::register);
    hapax.codeFrom(live);
    var schedules = new LiveSchedules(hapax::tenant);
    releases.onPromotion(schedules);
    metrics.count(
        "hapax.schedule.missed",
        "Nominal instants of schedules that got no run",
        schedules::missed);
    this.watch = new StoreWatch(hapax, ports.threads());
    this.routes =
        new Routes(
                routes(),
                extras.access().apply(access.access()),
                hapax::tenant,
                closing::get,
                observer())
            .below(base());
    this.carrier = carry();
    releases.follow();
    if (settings.store().url() != null || extras.database() != null) {
      ports.threads().virtual("hapax-promotions", this::followOthers);
    }
  }

  /** Loads OpenTelemetry only if a collector is configured. */
  private @Nullable Traces openTraces() {
    Settings.Traces told = settings.traces();
    URI collector = told.url();
    return collector == null
        ? null
        : new Traces(
            new Traces.Target(collector, told.headers(), told.share(), told.every()),
            version(),
            ports.threads());
  }

  private Routes.Observer observer() {
    Traces told = traces;
    Routes.Observer limited = inside(metrics, inside(access.addresses(), watch));
    return told == null ? limited : inside(limited, told::around);
  }

  private static Routes.Observer inside(Routes.Observer outer, Routes.Observer inner) {
    return (route, request, handling) ->
        outer.around(route, request, () -> inner.around(route, request, handling));
  }

  /** A server without its keys does not start, and leaves its store as it was. */
  private AccessControl openAccess() throws IOException {
    Settings.Http http = settings.http();
    var limits = new RequestLimits(http.requestsPerToken(), http.requestsPerAddress());
    try {
      return AccessControl.open(hapax, settings.data(), limits, ports);
    } catch (IOException | RuntimeException e) {
      hapax.close();
      throw e;
    }
  }

  /** Applies promotions of other nodes, so that their schedules reach this node a moment later. */
  private void followOthers() {
    while (!stopped.await(FOLLOW)) {
      try {
        releases.follow();
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("promotions of other nodes could not be read; they are looked at again", e);
      }
    }
  }

  static Application start(Settings settings, Extras extras) throws IOException {
    return new Application(settings, extras);
  }

  private LiveFlows.FilesOfTenant filesOfTenants(UnaryOperator<FlowFiles.Builder> extra) {
    Map<String, FlowFiles> files = new ConcurrentHashMap<>();
    return tenant -> files.computeIfAbsent(tenant, name -> files(name, extra));
  }

  private FlowFiles files(String tenant, UnaryOperator<FlowFiles.Builder> extra) {
    FlowFiles.Builder files =
        FlowFiles.with(ports)
            .connections(access.connections(tenant))
            .secrets(access.secrets(tenant))
            .databases(Application::database)
            .callbackUrl(publicAddress() + "/api/callbacks/")
            .children(
                flow -> {
                  LoadedFlow found = live.find(tenant, flow);
                  return found == null ? null : found.flow();
                });
    return extra.apply(files).open();
  }

  private static SqlDatabase database(
      Connection.Postgres connection,
      List<InetAddress> addresses,
      @Nullable String password,
      Duration timeout) {
    return SqlDestination.of(
        new PostgresPlace(
            connection.host(),
            addresses,
            connection.port(),
            connection.database(),
            connection.user(),
            password,
            PostgresPlace.Tls.valueOf(connection.tls().name()),
            timeout));
  }

  private HapaxOptions options() {
    return HapaxOptions.DEFAULT
        .ports(ports)
        .interceptor(new RunLogs(traces == null ? Interceptor.NONE : traces))
        .mostInMemory(settings.engine().runsInMemory())
        .tombstoneLife(settings.engine().tombstones())
        .inboxLife(settings.engine().events())
        .failoversLoseNothing(settings.store().failoversLoseNothing())
        .sendsInCopy(this::maySendInCopy)
        .closeWithin(half());
  }

  /** A connection of a copy is off until it is set again. Drafts send nothing anyway. */
  private boolean maySendInCopy(long copy, String tenant, @Nullable String destination) {
    Long allowed = settings.store().copySends();
    return (allowed != null && allowed == copy)
        || FlowFiles.ownerOfDrafts(tenant) != null
        || (destination != null && access.connections(tenant).find(destination).isPresent());
  }

  /** Half of the shutdown time answers requests, then half lets runs reach their next step. */
  private Duration half() {
    return settings.shutdownWithin().dividedBy(2);
  }

  private void committed(Batch batch, List<GroupAnswer> answers, long nanos) {
    metrics.committed(batch, answers, nanos);
    feed.committed(batch, answers);
    if (traces != null) {
      traces.committed(batch, answers);
    }
  }

  private List<Route> routes() {
    Tenants tenants = hapax::tenant;
    Flows flows = new ReleasedFlows(live, releases, extras.flows());
    var waiting = new Waiting(ports.clock(), closing::get);
    List<Route> all = new ArrayList<>();
    all.addAll(new Health(hapax, closing::get, watch).routes());
    all.addAll(metrics.routes());
    all.addAll(new FlowRoutes(releases, live).routes());
    all.addAll(
        new WebhookRoutes(
                releases,
                live,
                tenants,
                (tenant, name) -> SigningSecrets.linesOf(access.secrets(tenant).value(name)),
                ports.clock())
            .routes());
    all.addAll(new ScheduleRoutes(live).routes());
    all.addAll(new Starts(flows, waiting).routes());
    all.addAll(new Runs(flows, waiting).routes());
    all.addAll(Effects.routes());
    all.addAll(new CallbackDoor(hapax, tenants, flows).routes());
    all.addAll(new ApprovalDesk(publicAddress()).routes());
    all.addAll(new ApprovalPage(hapax, tenants).routes());
    all.addAll(KvMap.routes());
    all.addAll(ResourceShelf.routes());
    all.addAll(new Backups(hapax, settings.data().resolve("backups"), ports.clock()).routes());
    all.addAll(new Restores(hapax, access::declaredHere).routes());
    all.addAll(new EventStream(feed).routes());
    all.addAll(access.routes());
    return OpenApi.withDocument(access.watched(all), version(), base());
  }

  private static String version() {
    String version = Application.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  /** Returns where people and other systems reach this server, without a slash at its end. */
  private String publicAddress() {
    URI url = settings.http().url();
    return url != null
        ? url.toString()
        : "http://%s:%d".formatted(settings.http().host(), settings.http().port());
  }

  /** Returns the path prefix that callers use: that of a mount, or one that a proxy removes. */
  private String base() {
    URI url = settings.http().url();
    return url == null ? "" : url.getRawPath();
  }

  private Carrier carry() {
    Settings.Http http = settings.http();
    String prefix = extras.prefix();
    return prefix == null
        ? Server.start(routes, new Server.Place(http.host(), http.port(), hosts(http), half()))
        : Mount.of(
            routes, new Mount.Place(prefix, URI.create(publicAddress()), half()), ports.threads());
  }

  /** Returns the names that requests may use. If empty (public, none configured), all may. */
  private static Set<String> hosts(Settings.Http http) {
    boolean isLocal = Set.of("127.0.0.1", "localhost", "::1", "[::1]").contains(http.host());
    if (http.hosts().isEmpty() && !isLocal) {
      return Set.of();
    }
    Set<String> hosts = new HashSet<>(http.hosts());
    hosts.addAll(List.of("127.0.0.1", "localhost", "[::1]", http.host()));
    URI url = http.url();
    if (url != null) {
      hosts.add(url.getHost());
    }
    return hosts;
  }

  URI address() {
    return carrier.address();
  }

  Hapax hapax() {
    return hapax;
  }

  /** Returns the servlet for another program's container. */
  HttpServlet servlet() {
    return switch (carrier) {
      case Mount mount -> mount.servlet();
      case Server _ -> throw new IllegalStateException("this one listens by itself");
    };
  }

  List<Route> allRoutes() {
    return routes.all();
  }

  /** Returns the operator's token if this start created it; null otherwise. */
  @Nullable String firstToken() {
    return access.firstToken();
  }

  /** Stops being ready, answers the requests that have arrived, and writes runs out. */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    log.info("stopping: requests are answered, then runs are written out");
    stopped.raise();
    feed.close();
    carrier.close();
    hapax.close();
    metrics.close();
    if (traces != null) {
      traces.close();
    }
    log.info("stopped: everything that was accepted goes on at the next start");
  }
}
