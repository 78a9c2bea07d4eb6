package dev.hapax.app;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.Kv;
import dev.hapax.app.access.AccessControl;
import dev.hapax.app.access.RequestLimits;
import dev.hapax.app.access.TenantBook;
import dev.hapax.app.access.TermsBook;
import dev.hapax.app.alert.AlertRoutes;
import dev.hapax.app.alert.TenantAlerts;
import dev.hapax.app.alert.TestAlert;
import dev.hapax.app.api.ApprovalDesk;
import dev.hapax.app.api.ApprovalPage;
import dev.hapax.app.api.Backups;
import dev.hapax.app.api.CallbackDoor;
import dev.hapax.app.api.Effects;
import dev.hapax.app.api.Finds;
import dev.hapax.app.api.JobDesk;
import dev.hapax.app.api.KvMap;
import dev.hapax.app.api.LedgerRoutes;
import dev.hapax.app.api.NodeRoutes;
import dev.hapax.app.api.OutboxRoutes;
import dev.hapax.app.api.OverviewRoutes;
import dev.hapax.app.api.ReplayRoutes;
import dev.hapax.app.api.ResourceShelf;
import dev.hapax.app.api.Restores;
import dev.hapax.app.api.RetentionRoutes;
import dev.hapax.app.api.Runs;
import dev.hapax.app.api.Startable;
import dev.hapax.app.api.StartableFlows;
import dev.hapax.app.api.Starts;
import dev.hapax.app.api.SubjectRoutes;
import dev.hapax.app.api.Waiting;
import dev.hapax.app.config.Settings;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.deploy.DeploymentRoutes;
import dev.hapax.app.desk.ReceiptRoutes;
import dev.hapax.app.desk.ReviewBook;
import dev.hapax.app.desk.ReviewRoutes;
import dev.hapax.app.http.Authenticator;
import dev.hapax.app.http.Carrier;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.Mount;
import dev.hapax.app.http.OpenApi;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.StreamLimits;
import dev.hapax.app.http.Tenants;
import dev.hapax.app.mcp.McpEndpoint;
import dev.hapax.app.mcp.McpRoutes;
import dev.hapax.app.mcp.tool.AgentRoutes;
import dev.hapax.app.mcp.tool.HapaxTools;
import dev.hapax.app.mcp.tool.RunTasks;
import dev.hapax.app.observe.EventStream;
import dev.hapax.app.observe.Health;
import dev.hapax.app.observe.Metrics;
import dev.hapax.app.observe.ObservedStore;
import dev.hapax.app.observe.RunFeed;
import dev.hapax.app.observe.RunLogs;
import dev.hapax.app.observe.ServerBreakdown;
import dev.hapax.app.observe.StoreWatch;
import dev.hapax.app.observe.Traces;
import dev.hapax.app.observe.TroubleLog;
import dev.hapax.app.oidc.BrowserLogin;
import dev.hapax.app.oidc.IssuerTokens;
import dev.hapax.app.once.OnceDesk;
import dev.hapax.app.once.OnceFlow;
import dev.hapax.app.once.OnceRoutes;
import dev.hapax.app.queue.GroupPlaces;
import dev.hapax.app.queue.LiveQueues;
import dev.hapax.app.queue.QueuePauses;
import dev.hapax.app.queue.QueueRoutes;
import dev.hapax.app.reconcile.ReconcileFlow;
import dev.hapax.app.reconcile.ReconcileJob;
import dev.hapax.app.reconcile.ReconcileRoutes;
import dev.hapax.app.reconcile.RepairFlow;
import dev.hapax.app.release.FileReadings;
import dev.hapax.app.release.FlowBatch;
import dev.hapax.app.release.FlowRoutes;
import dev.hapax.app.release.LiveFlows;
import dev.hapax.app.release.ReleaseBook;
import dev.hapax.app.release.Releases;
import dev.hapax.app.schedule.LiveSchedules;
import dev.hapax.app.schedule.ReconcileSchedules;
import dev.hapax.app.schedule.ScheduleRoutes;
import dev.hapax.app.secret.TrialRoutes;
import dev.hapax.app.secret.outside.SourcesFile;
import dev.hapax.app.ui.WebSite;
import dev.hapax.app.webhook.SavedEvents;
import dev.hapax.app.webhook.SigningSecrets;
import dev.hapax.app.webhook.WebhookRoutes;
import dev.hapax.app.wire.PublicForm;
import dev.hapax.engine.parts.ThreadGuard;
import dev.hapax.export.RecordFolder;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flow.TokenKeys;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.step.ModelCall;
import dev.hapax.store.Batch;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.OwnerOnly;
import dev.hapax.store.Store;
import dev.hapax.store.destination.PostgresPlace;
import dev.hapax.store.destination.SqlDestination;
import dev.hapax.time.Ports;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wires a server together: the engine on its store, and the routes in front of it. */
final class Application implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Application.class);

  private final Settings settings;
  private final HttpPlace place;
  private final Ports ports; // whose threads are guarded
  private final ServerBreakdown breakdown = new ServerBreakdown();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final SearchIndexing search = new SearchIndexing();
  private final Metrics metrics;
  private final TroubleLog trouble;
  private final @Nullable Traces traces;
  private final RunFeed feed;
  private final Hapax hapax;
  private final TermsBook terms;
  private final AccessControl access;
  private final ReviewBook reviews;
  private final @Nullable IssuerTokens issuer;
  private final LiveFlows.FilesOfTenant files;
  private final LiveFlows live;
  private final ReconcileFlow reconcile;
  private final RepairFlow repair;
  private final OnceFlow once;
  private final Consumer<String> openChannels;
  private final TenantAlerts tenantAlerts;
  private volatile @Nullable TenantAlerts askedAlerts; // null until they are read
  private final Releases releases;
  private final LiveQueues queues;
  private final StoreWatch watch;
  private final Routes routes;
  private final Extras extras;
  private final Carrier carrier;
  private final BackgroundWork background;

  private Application(Settings settings, Extras extras) throws IOException {
    this.settings = settings;
    this.place = new HttpPlace(settings.http());
    this.extras = extras;
    this.ports = guarded(extras.ports());
    OwnerOnly.folder(settings.data());
    this.traces = openTraces();
    Store store =
        extras
            .store()
            .apply(StoreOfSettings.open(settings, extras.database(), extras.ports().threads()));
    if (traces != null) {
      traces.runsFrom(store::run);
    }
    this.metrics = new Metrics(settings.metricsArePublic());
    this.trouble = new TroubleLog(store::run, metrics::troubled);
    this.feed = new RunFeed(ports.clock(), store::run);
    this.terms = new TermsBook(store, ports);
    this.hapax = Hapax.open(new ObservedStore(store, this::committed, breakdown), options());
    breakdown.reportBy(this::askStore);
    this.access = openAccess(store);
    Kv own = ServerMap.of(hapax);
    this.reviews = new ReviewBook(own, ports.clock());
    hapax.subjects().traces(reviews);
    var book = new ReleaseBook(own);
    this.files = filesOfTenants(extras.files());
    this.openChannels = tenant -> files.of(tenant).openChannels(hapax.tenant(tenant));
    this.tenantAlerts = new TenantAlerts(own, ports.clock(), openChannels);
    this.live = new LiveFlows(book, hapax, files, ports.clock());
    extras.companion().opened(hapax, live);
    this.releases = new Releases(own, book, live, ports.clock());
    releases.inJava(
        Stream.concat(
                Stream.of(ReconcileFlow.NAME, RepairFlow.NAME, OnceFlow.NAME),
                extras.flows().stream().map(Flow::name))
            .collect(Collectors.toSet()));
    releases.tenants(access::hasTenant);
    releases.signingSecrets((tenant, secret) -> access.secrets(tenant).has(secret));
    tenantAlerts.follow();
    askedAlerts = tenantAlerts; // before any run goes on
    extras.flows().forEach(hapax::register);
    var sources = new ReleasedSources(live, files);
    this.reconcile = new ReconcileFlow(hapax::tenant, sources, ports.clock());
    this.repair = new RepairFlow(hapax::tenant, sources);
    hapax.register(reconcile.flow());
    hapax.register(repair.flow());
    this.once = new OnceFlow(hapax::tenant, files::of, new OnceCompiling(live), live);
    hapax.codeFrom(once);
    if (!settings.alerts().isEmpty()) {
      openChannels.accept(TenantBook.OPERATOR);
    }
    var schedules = new LiveSchedules(hapax::tenant);
    releases.onPromotion(schedules);
    releases.onPromotion(new ReconcileSchedules(hapax::tenant, reconcile.flow()));
    this.queues =
        new LiveQueues(
            hapax::tenant,
            files,
            new QueuePauses(own, ports.clock()),
            new GroupPlaces(own, ports.clock()),
            terms::isHeld,
            (tenant, source) -> releases.hookPaths().owner(tenant, source) != null,
            new CountedQueues(metrics),
            ports);
    releases.onPromotion(queues);
    metrics.count("hapax.schedule.missed", "Scheduled instants that got no run", schedules::missed);
    metrics.count(
        "hapax.schedule.skipped",
        "Scheduled instants that got no run because of other runs",
        schedules::skipped);
    metrics.open(hapax, store, ports.clock(), ports.threads());
    this.watch = new StoreWatch(hapax, ports.threads());
    this.issuer = issuerTokens();
    Authenticator callers =
        terms.limiting(
            extras
                .access()
                .apply(issuer == null ? access.access() : issuer.beside(access.access())));
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
        new Routes(routes(callers, store), callers, hapax::tenant, closing::get, observer())
            .streamsWithin(streams)
            .labelsFrom(releases.labels())
            .refusalsTo(access.refusals())
            .browsersBy(access.sessions(), new WebSite(place.base(), version(), loginHost()))
            .below(place.base());
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
    this.background =
        new BackgroundWork(settings, ports, hapax, terms, access, releases, tenantAlerts, reviews);
    background.start(search, settings.store().url() != null || extras.database() != null);
  }

  private Ports guarded(Ports given) {
    return new Ports(
        given.clock(),
        given.random(),
        new ThreadGuard(given.threads(), breakdown),
        given.process());
  }

  private void askStore() {
    try {
      hapax.findRun(0);
    } catch (NoAnswer e) {
      log.debug("the engine has heard: {}", e.getMessage());
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
          place.forBrowsers(),
          ports);
    } catch (IOException | RuntimeException e) {
      hapax.close();
      throw e;
    }
  }

  private @Nullable IssuerTokens issuerTokens() throws IOException {
    Settings.Oidc oidc = settings.oidc();
    return oidc == null
        ? null
        : IssuerTokens.of(oidc, settings.http().requestsPerToken(), access::hasTenant, ports);
  }

  private List<Route> loginRoutes() {
    Settings.Oidc oidc = settings.oidc();
    return oidc == null || issuer == null
        ? List.of()
        : BrowserLogin.routes(
            oidc, issuer, access.logins(), access.audit(), this::addressForBrowsers, ports);
  }

  private String addressForBrowsers() {
    return settings.http().url() == null ? address().toString() : place.publicAddress();
  }

  /** Returns the host at which people can log in; empty if they need a token. */
  private String loginHost() {
    Settings.Oidc oidc = settings.oidc();
    return oidc == null || oidc.login() == null ? "" : oidc.issuer().getHost();
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
            .callbackUrl(place.publicAddress() + "/api/callbacks/")
            .approvalUrl(place.publicAddress() + "/approvals/")
            .alerts(() -> alertsOf(tenant))
            .modelCalls(this::modelCalled)
            .modelCostPerDay(() -> terms.modelCostPerDay(tenant))
            .liveFiles(
                flow -> {
                  LoadedFlow found = live.lastLive(tenant, flow);
                  return found == null ? null : found.file();
                })
            .children(flow -> childFlow(tenant, flow))
            .retired(flow -> live.isRetired(tenant, flow));
    return extra.apply(builder).open();
  }

  private void modelCalled(ModelCall call) {
    metrics.modelCalled(call);
    Traces told = traces;
    if (told != null) {
      told.modelCalled(call);
    }
  }

  private @Nullable Flow<?, ?> childFlow(String tenant, String name) {
    Flow<?, ?> java = ReleasedFlows.newest(extras.flows(), name);
    LoadedFlow found = java == null ? live.lastLive(tenant, name) : null;
    return found == null ? java : found.flow();
  }

  /** The settings are the operator's: another tenant's alerts must not go to its channels. */
  private AlertPlan alertsOf(String tenant) {
    AlertPlan ofServer = tenant.equals(TenantBook.OPERATOR) ? settings.alerts() : AlertPlan.NONE;
    return tenantAlerts.plan(tenant).over(ofServer);
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
    Path exports = settings.engine().exportDeleted();
    HapaxOptions options = usualOptions();
    return exports == null
        ? options
        : options.exportDeleted(RecordFolder.at(exports, new PublicForm()));
  }

  private HapaxOptions usualOptions() {
    return HapaxOptions.DEFAULT
        .alerts(AlertDesk.DESTINATION, settings.alerts().channels().keySet().toArray(Alert[]::new))
        .alertsOf(TenantBook.OPERATOR::equals)
        .alertsOfTenants(this::askedBy)
        .waitingTooLong(Objects.requireNonNullElse(settings.alerts().tooLong(), Duration.ofDays(1)))
        .ports(extras.ports())
        .interceptor(new RunLogs(traces == null ? extras.companion().interceptor() : traces))
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

  /** The engine is open before the records of the server are. */
  private @Nullable FlowAlerts askedBy(String tenant) {
    TenantAlerts known = askedAlerts;
    return known == null ? null : known.asked(tenant);
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
    search.written();
    metrics.committed(batch, answers, nanos);
    feed.committed(batch, answers);
    trouble.committed(batch, answers);
    if (traces != null) {
      traces.committed(batch, answers);
    }
  }

  private static @Nullable Integer releaseOf(@Nullable Startable live) {
    return live == null ? null : live.flow().release();
  }

  private List<Route> routes(Authenticator callers, Store store) {
    Tenants tenants = hapax::tenant;
    StartableFlows flows = new ReleasedFlows(live, releases, extras.flows());
    var waiting = new Waiting(ports.clock(), closing::get);
    List<Route> all = new ArrayList<>();
    all.addAll(new Health(hapax, closing::get, watch, breakdown).routes());
    all.addAll(metrics.routes(TenantBook.OPERATOR));
    all.addAll(new FlowRoutes(releases, live, !settings.deploysByTwo()).routes());
    all.addAll(new FileReadings(releases).routes());
    var webhooks =
        new WebhookRoutes(
            releases.hookPaths(),
            live,
            queues,
            this::hapaxForDeliveries,
            this::signingSecrets,
            ports);
    hapax.jobs().eventSources(webhooks.sources());
    all.addAll(webhooks.routes());
    all.addAll(new ScheduleRoutes(live).routes());
    all.addAll(new QueueRoutes(queues).routes());
    all.addAll(new Starts(flows, waiting).routes());
    all.addAll(new OnceRoutes(new OnceDesk(once, waiting), access.audit()).routes());
    all.addAll(new Runs(flows, waiting).routes());
    hapax.replays().liveReleases((tenant, flow) -> releaseOf(flows.find(tenant, flow)));
    all.addAll(new ReplayRoutes(flows).routes());
    all.addAll(new OverviewRoutes(ports.clock()).routes());
    all.addAll(new NodeRoutes(store, ports.clock(), version()).routes(TenantBook.OPERATOR));
    all.addAll(Effects.routes());
    hapax.jobs().kind(new ReconcileJob(hapax::tenant, live, reconcile));
    var reconciling = new ReconcileRoutes(live, reconcile, repair);
    all.addAll(new JobDesk(flows, reconciling::job, reconciling::cancelJob).routes());
    all.addAll(new LedgerRoutes(flows).routes());
    all.addAll(reconciling.routes());
    all.addAll(new ReviewRoutes(reviews, access.audit(), ports.clock()).routes());
    all.addAll(new ReceiptRoutes(access.documents()).routes());
    all.addAll(new Finds(flows).routes());
    all.addAll(new CallbackDoor(hapax, tenants, flows).routes());
    all.addAll(new ApprovalDesk(place.publicAddress()).routes());
    all.addAll(new ApprovalPage(hapax, tenants, callers, access.audit()).routes());
    all.addAll(KvMap.routes());
    all.addAll(OutboxRoutes.routes());
    all.addAll(RetentionRoutes.routes());
    all.addAll(new SubjectRoutes(hapax).routes());
    all.addAll(ResourceShelf.routes());
    all.addAll(new Backups(hapax, settings.data().resolve("backups"), ports.clock()).routes());
    all.addAll(new Restores(hapax, access::declaredHere).routes());
    all.addAll(
        new AlertRoutes(
                this::alertsOf, tenantAlerts, releases, live, new TestAlert(ports, openChannels))
            .routes());
    all.addAll(new EventStream(feed).routes());
    all.addAll(access.routes());
    all.addAll(loginRoutes());
    all.addAll(new TrialRoutes(files::of, hapax).routes());
    all.addAll(
        new DeploymentRoutes(
                ServerMap.of(hapax),
                new FlowBatch(releases, ports.clock()),
                access.connectionBatch(),
                tenantAlerts,
                access.audit(),
                ports.clock(),
                settings.deploysByTwo())
            .routes());
    all.addAll(
        extras
            .companion()
            .routes(new SavedEvents(releases.hookPaths(), live, this::signingSecrets, ports)));
    List<Route> audited = new ArrayList<>(access.audited(all));
    audited.addAll(toolRoutes(List.copyOf(audited)));
    return OpenApi.withDocument(audited, version(), place.base());
  }

  /** Tools call the routes, so agents have no other permissions than callers of the API. */
  private List<Route> toolRoutes(List<Route> all) {
    var inner = new AgentRoutes(new InnerCalls(all, access.refusals()));
    Set<String> dangerous = settings.dangerousTools();
    var endpoint =
        new McpEndpoint(
            new HapaxTools(
                inner,
                new ToolFlows(live, releases),
                new DraftProofs(releases, live, access::connections, ports.threads()),
                dangerous),
            new RunTasks(inner, dangerous, ports.clock(), this::addressForBrowsers),
            version(),
            place::isOwn,
            (kind, outcome) -> metrics.toolCalled(word(kind), word(outcome)));
    Settings.Oidc oidc = settings.oidc();
    return new McpRoutes(endpoint, this::addressForBrowsers, oidc == null ? null : oidc.issuer())
        .routes();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private List<String> signingSecrets(String tenant, String name) {
    return SigningSecrets.linesOf(access.secrets(tenant).value(name));
  }

  private Hapax hapaxForDeliveries(String tenant) {
    terms.refuseDelivery(tenant);
    return hapax.tenant(tenant);
  }

  private static String version() {
    String version = Application.class.getPackage().getImplementationVersion();
    return version == null ? "0" : version;
  }

  private Carrier carry() {
    String prefix = extras.prefix();
    return prefix == null
        ? Server.start(routes, place.listening(half()))
        : Mount.of(
            routes,
            new Mount.Place(prefix, URI.create(place.publicAddress()), half()),
            ports.threads());
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
    background.stop();
    queues.stop();
    feed.close();
    carrier.close();
    queues.drain(half().dividedBy(2));
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
