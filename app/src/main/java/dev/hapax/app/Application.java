package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.access.AccessControl;
import dev.hapax.app.access.RequestLimits;
import dev.hapax.app.access.TenantBook;
import dev.hapax.app.access.TermsBook;
import dev.hapax.app.alert.AlertRoutes;
import dev.hapax.app.alert.DiskWatch;
import dev.hapax.app.alert.TestAlert;
import dev.hapax.app.api.ApprovalDesk;
import dev.hapax.app.api.ApprovalPage;
import dev.hapax.app.api.Backups;
import dev.hapax.app.api.CallbackDoor;
import dev.hapax.app.api.Effects;
import dev.hapax.app.api.Finds;
import dev.hapax.app.api.KvMap;
import dev.hapax.app.api.ResourceShelf;
import dev.hapax.app.api.Restores;
import dev.hapax.app.api.Runs;
import dev.hapax.app.api.StartableFlows;
import dev.hapax.app.api.Starts;
import dev.hapax.app.api.Waiting;
import dev.hapax.app.config.Settings;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.Carrier;
import dev.hapax.app.http.HostRule;
import dev.hapax.app.http.Mount;
import dev.hapax.app.http.OpenApi;
import dev.hapax.app.http.PeerLimits;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.StreamLimits;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.observe.EventStream;
import dev.hapax.app.observe.Health;
import dev.hapax.app.observe.Metrics;
import dev.hapax.app.observe.ObservedStore;
import dev.hapax.app.observe.RunFeed;
import dev.hapax.app.observe.RunLogs;
import dev.hapax.app.observe.StoreWatch;
import dev.hapax.app.observe.Traces;
import dev.hapax.app.observe.TroubleLog;
import dev.hapax.app.oidc.IssuerTokens;
import dev.hapax.app.release.FlowRoutes;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.ReleaseBook;
import dev.hapax.app.release.Releases;
import dev.hapax.app.schedule.LiveSchedules;
import dev.hapax.app.schedule.ScheduleRoutes;
import dev.hapax.app.secret.TrialRoutes;
import dev.hapax.app.secret.outside.SourcesFile;
import dev.hapax.app.tls.TlsFiles;
import dev.hapax.app.webhook.SigningSecrets;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.connection.Connection;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.OwnerOnly;
import dev.hapax.store.Store;
import dev.hapax.store.destination.PostgresPlace;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a server together: the engine on its store, and the routes in front of it. */
final class Application implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Application.class);

  private static final Duration FOLLOW = Duration.ofSeconds(1);
  private static final Duration LOOK_AT_DISK = Duration.ofSeconds(30);

  /** Rows enter the search index a minute after they are made, or when a search needs them. */
  private static final Duration INDEX = Duration.ofSeconds(30);

  /** So often after the last write, because its rows are too young at first. */
  private static final int LOOKS = 3;

  /** Between two commits of 500 rows, so that other commits do not wait for several of them. */
  private static final Duration INDEX_REST = Duration.ofMillis(64);

  private final Settings settings;
  private final Ports ports = Ports.system();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicInteger looksForSearch = new AtomicInteger(LOOKS);
  private final Signal stopped = ports.threads().signal();
  private final Metrics metrics;
  private final TroubleLog trouble;
  private final @Nullable Traces traces;
  private final RunFeed feed;
  private final Hapax hapax;
  private final TermsBook terms;
  private final AccessControl access;
  private final LiveFlows.FilesOfTenant files;
  private final LiveFlows live;
  private final Consumer<String> openChannels;
  private final Releases releases;
  private final StoreWatch watch;
  private final Routes routes;
  private final Extras extras;
  private final Carrier carrier;

  private Application(Settings settings, Extras extras) throws IOException {
    this.settings = settings;
    this.extras = extras;
    OwnerOnly.folder(settings.data());
    this.traces = openTraces();
    Store store = StoreOfSettings.open(settings, extras.database(), ports.threads());
    if (traces != null) {
      traces.runsFrom(store::run);
    }
    this.metrics = new Metrics(settings.metricsArePublic());
    this.trouble = new TroubleLog(store::run, metrics::troubled);
    this.feed = new RunFeed(ports.clock(), store::run);
    this.terms = new TermsBook(store, ports);
    this.hapax = Hapax.open(new ObservedStore(store, this::committed), options());
    this.access = openAccess(store);
    Kv own = ServerMap.of(hapax);
    var book = new ReleaseBook(own);
    this.files = filesOfTenants(extras.files());
    this.openChannels = tenant -> files.of(tenant).openChannels(hapax.tenant(tenant));
    this.live = new LiveFlows(book, hapax, files, ports.clock());
    this.releases = new Releases(own, book, live, ports.clock());
    releases.inJava(extras.flows().stream().map(Flow::name).collect(Collectors.toSet()));
    releases.tenants(access::hasTenant);
    releases.signingSecrets((tenant, secret) -> access.secrets(tenant).has(secret));
    extras.flows().forEach(hapax::register);
    hapax.codeFrom(live);
    if (!settings.alerts().isEmpty()) {
      openChannels.accept(TenantBook.OPERATOR);
    }
    var schedules = new LiveSchedules(hapax::tenant);
    releases.onPromotion(schedules);
    metrics.count("hapax.schedule.missed", "Scheduled instants that got no run", schedules::missed);
    metrics.count(
        "hapax.schedule.skipped",
        "Scheduled instants that got no run because of other runs",
        schedules::skipped);
    metrics.open(hapax, store, ports.clock(), ports.threads());
    this.watch = new StoreWatch(hapax, ports.threads());
    Authenticator callers = terms.limiting(extras.access().apply(authenticator()));
    var streams =
        new StreamLimits(
            settings.http().connections().streams(),
            settings.http().connections().streamsPerToken(),
            terms::mostStreams);
    terms.countedBy(
        own,
        tenant ->
            new TermsBook.NodeUse(streams.open(tenant), hapax.tenant(tenant).tenancy().load()));
    this.routes =
        new Routes(routes(callers), callers, hapax::tenant, closing::get, observer())
            .streamsWithin(streams)
            .labelsFrom(releases.labels())
            .refusalsTo(access.refusals())
            .below(base());
    this.carrier = carry();
    if (carrier instanceof Server server) {
      metrics.count(
          "hapax.http.connections.replaced",
          "Connections that silent peers lost to others",
          server::replacedPeers);
      metrics.count(
          "hapax.http.connections.refused", "Connections beyond the limits", server::refusedPeers);
    }
    releases.follow();
    ports.threads().virtual("hapax-trouble", trouble);
    ports.threads().virtual("hapax-refusals", this::flushRefusals);
    ports.threads().virtual("hapax-erasure", this::eraseTenants);
    ports.threads().virtual("hapax-search", this::indexForSearch);
    if (settings.alerts().channels().containsKey(Alert.DISK_LOW)) {
      ports.threads().virtual("hapax-disk", this::watchDisk);
    }
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
    Routes.Observer limited =
        inside(access.wrongTokens(), inside(metrics, inside(access.addresses(), watch)));
    return told == null ? limited : inside(limited, told::around);
  }

  private static Routes.Observer inside(Routes.Observer outer, Routes.Observer inner) {
    return (route, request, handling) ->
        outer.around(route, request, () -> inner.around(route, request, handling));
  }

  /** A server without its keys does not start, and leaves its store as it was. */
  private AccessControl openAccess(Store store) throws IOException {
    Settings.Http http = settings.http();
    var limits =
        new RequestLimits(
            http.requestsPerToken(), http.requestsPerAddress(), http.wrongTokensPerAddress());
    try {
      return AccessControl.open(
          hapax,
          store,
          terms,
          settings.data(),
          SourcesFile.read(settings.secretSources(), ports.clock()),
          limits,
          ports);
    } catch (IOException | RuntimeException e) {
      hapax.close();
      throw e;
    }
  }

  private Authenticator authenticator() throws IOException {
    Settings.Oidc oidc = settings.oidc();
    return oidc == null
        ? access.access()
        : IssuerTokens.of(oidc, settings.http().requestsPerToken(), access::hasTenant, ports)
            .beside(access.access());
  }

  /** Applies promotions and suspensions of other nodes a moment later. */
  private void followOthers() {
    while (!stopped.await(FOLLOW)) {
      try {
        terms.follow();
        releases.follow();
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("changes by other nodes could not be read; this node tries again", e);
      }
    }
  }

  /** Also continues what an earlier process has begun. */
  private void eraseTenants() {
    while (!stopped.await(FOLLOW)) {
      access.eraser().work(stopped::await);
    }
  }

  /** Looks only after something was written, and leaves most of the store's time to others. */
  private void indexForSearch() {
    while (!stopped.await(INDEX)) {
      if (looksForSearch.get() == 0) {
        continue;
      }
      looksForSearch.decrementAndGet();
      try {
        boolean isBehind = true;
        while (isBehind && !stopped.await(INDEX_REST)) {
          isBehind = hapax.indexForSearch();
        }
      } catch (RuntimeException e) { // also while the store is unreachable
        log.debug("the search index could not be filled; this node tries again", e);
        looksForSearch.set(LOOKS);
      }
    }
  }

  private void watchDisk() {
    var disk =
        new DiskWatch(
            hapax.tenant(TenantBook.OPERATOR),
            () -> settings.data().toFile().getUsableSpace(),
            settings.limits().freeBytes(),
            ports.clock());
    do {
      try {
        disk.look();
      } catch (RuntimeException e) { // also while the store is unreachable, or full already
        log.warn("the alert about the disk could not be written; it is tried again", e);
      }
    } while (!stopped.await(LOOK_AT_DISK));
  }

  private void flushRefusals() {
    while (!stopped.await(access.flushEvery())) {
      access.flushRefusals();
    }
  }

  static Application start(Settings settings, Extras extras) throws IOException {
    return new Application(settings, extras);
  }

  private LiveFlows.FilesOfTenant filesOfTenants(UnaryOperator<FlowFiles.Builder> extra) {
    Map<String, FlowFiles> opened = new ConcurrentHashMap<>();
    return tenant -> opened.computeIfAbsent(tenant, name -> files(name, extra));
  }

  private FlowFiles files(String tenant, UnaryOperator<FlowFiles.Builder> extra) {
    FlowFiles.Builder builder =
        FlowFiles.with(ports)
            .connections(access.connections(tenant))
            .secrets(access.secrets(tenant))
            .databases(Application::database)
            .valueBytes(settings.limits().valueBytes())
            .callbackUrl(publicAddress() + "/api/callbacks/")
            .approvalUrl(publicAddress() + "/approvals/")
            .alerts(alertsOf(tenant))
            .liveFiles(
                flow -> {
                  LoadedFlow found = live.find(tenant, flow);
                  return found == null ? null : found.file();
                })
            .children(flow -> childFlow(tenant, flow));
    return extra.apply(builder).open();
  }

  private @Nullable Flow<?, ?> childFlow(String tenant, String name) {
    Flow<?, ?> java = ReleasedFlows.newest(extras.flows(), name);
    LoadedFlow found = java == null ? live.find(tenant, name) : null;
    return found == null ? java : found.flow();
  }

  /** The settings are the operator's: another tenant's alerts must not go to its channels. */
  private AlertPlan alertsOf(String tenant) {
    return tenant.equals(TenantBook.OPERATOR) ? settings.alerts() : AlertPlan.NONE;
  }

  private static SqlDatabase database(
      Connection.Postgres connection,
      Supplier<Socket> sockets,
      @Nullable String password,
      Duration timeout) {
    return SqlDestination.of(
        new PostgresPlace(
            connection.host(),
            connection.port(),
            connection.database(),
            connection.user(),
            password,
            timeout,
            sockets));
  }

  private HapaxOptions options() {
    return HapaxOptions.DEFAULT
        .alerts(AlertDesk.DESTINATION, settings.alerts().channels().keySet().toArray(Alert[]::new))
        .alertsOf(TenantBook.OPERATOR::equals)
        .waitingTooLong(Objects.requireNonNullElse(settings.alerts().tooLong(), Duration.ofDays(1)))
        .ports(ports)
        .interceptor(new RunLogs(traces == null ? Interceptor.NONE : traces))
        .mostInMemory(settings.engine().runsInMemory())
        .nodeBytes(memoryForValues())
        .runBytes(memoryOfRun())
        .tombstoneLife(settings.engine().tombstones())
        .inboxLife(settings.engine().events())
        .tenantLimits(terms)
        .failoversLoseNothing(settings.store().failoversLoseNothing())
        .sendsInCopy(this::maySendInCopy)
        .tokenKeys(new SealedKeys())
        .closeWithin(half());
  }

  private long memoryForValues() {
    Long given = settings.limits().nodeBytes();
    return given != null ? given : Runtime.getRuntime().maxMemory() / 4;
  }

  private long memoryOfRun() {
    Long given = settings.limits().runBytes();
    return given != null ? given : memoryForValues() / 2;
  }

  /** The vault opens after the engine, and before it gets the code of any flow. */
  private final class SealedKeys implements TokenKeys {
    @Override
    public int current() {
      return access.tokenKeys().current();
    }

    @Override
    public byte @Nullable [] find(int version) {
      return access.tokenKeys().find(version);
    }
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
    looksForSearch.set(LOOKS);
    metrics.committed(batch, answers, nanos);
    feed.committed(batch, answers);
    trouble.committed(batch, answers);
    if (traces != null) {
      traces.committed(batch, answers);
    }
  }

  private List<Route> routes(Authenticator callers) {
    Tenants tenants = hapax::tenant;
    StartableFlows flows = new ReleasedFlows(live, releases, extras.flows());
    var waiting = new Waiting(ports.clock(), closing::get);
    List<Route> all = new ArrayList<>();
    all.addAll(new Health(hapax, closing::get, watch).routes());
    all.addAll(metrics.routes(TenantBook.OPERATOR));
    all.addAll(new FlowRoutes(releases, live).routes());
    all.addAll(
        new WebhookRoutes(
                releases.hookPaths(),
                live,
                this::hapaxForDeliveries,
                (tenant, name) -> SigningSecrets.linesOf(access.secrets(tenant).value(name)),
                ports)
            .routes());
    all.addAll(new ScheduleRoutes(live).routes());
    all.addAll(new Starts(flows, waiting).routes());
    all.addAll(new Runs(flows, waiting).routes());
    all.addAll(Effects.routes());
    all.addAll(new Finds(flows).routes());
    all.addAll(new CallbackDoor(hapax, tenants, flows).routes());
    all.addAll(new ApprovalDesk(publicAddress()).routes());
    all.addAll(new ApprovalPage(hapax, tenants, callers, access.audit()).routes());
    all.addAll(KvMap.routes());
    all.addAll(ResourceShelf.routes());
    all.addAll(new Backups(hapax, settings.data().resolve("backups"), ports.clock()).routes());
    all.addAll(new Restores(hapax, access::declaredHere).routes());
    all.addAll(
        new AlertRoutes(this::alertsOf, releases, live, new TestAlert(ports, openChannels))
            .routes());
    all.addAll(new EventStream(feed).routes());
    all.addAll(access.routes());
    all.addAll(new TrialRoutes(files::of, hapax).routes());
    return OpenApi.withDocument(access.audited(all), version(), base());
  }

  private Hapax hapaxForDeliveries(String tenant) {
    terms.refuseDelivery(tenant);
    return hapax.tenant(tenant);
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
        : "%s://%s:%d"
            .formatted(
                settings.http().tls() == null ? "http" : "https",
                settings.http().host(),
                settings.http().port());
  }

  /** Returns the path prefix that callers use: that of a mount, or one that a proxy removes. */
  private String base() {
    URI url = settings.http().url();
    return url == null ? "" : url.getRawPath();
  }

  private Carrier carry() {
    String prefix = extras.prefix();
    return prefix == null
        ? Server.start(routes, place(settings.http()))
        : Mount.of(
            routes, new Mount.Place(prefix, URI.create(publicAddress()), half()), ports.threads());
  }

  private Server.Place place(Settings.Http http) {
    List<String> names = new ArrayList<>(http.hosts());
    URI url = http.url();
    if (url != null) {
      names.add(url.getHost());
    }
    var hosts = HostRule.of(http.host(), names);
    if (names.isEmpty() && hosts.takesAddresses()) {
      log.warn(
          "requests may ask for this server by address only: to be reached by a name, set http.url or http.hosts");
    }
    Settings.Connections limits = http.connections();
    int most = Objects.requireNonNullElse(limits.most(), PeerLimits.usualConnections());
    Settings.Tls tls = http.tls();
    return Server.Place.at(http.host(), http.port())
        .hosts(hosts)
        .drainWithin(half())
        .limits(
            new PeerLimits(
                most, Objects.requireNonNullElse(limits.perAddress(), most / 2), limits.silence()))
        .tls(
            tls == null
                ? null
                : new TlsFiles(
                    tls.certificate(), tls.key(), tls.clientCa(), tls.clientsRequired()));
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
    log.info("stopping: the server answers open requests, then writes out its runs");
    stopped.raise();
    feed.close();
    carrier.close();
    access.flushRefusals();
    trouble.close();
    hapax.close();
    metrics.close();
    if (traces != null) {
      traces.close();
    }
    log.info("stopped: accepted work continues at the next start");
  }
}
