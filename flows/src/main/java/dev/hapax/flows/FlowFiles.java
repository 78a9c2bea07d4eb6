package dev.hapax.flows;

import dev.hapax.Courier;
import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rate;
import dev.hapax.flows.alert.AlertDesk;
import dev.hapax.flows.alert.AlertPlan;
import dev.hapax.flows.alert.Channel;
import dev.hapax.flows.alert.ChannelCourier;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.MissingParts;
import dev.hapax.flows.connection.BrokerCourier;
import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Databases;
import dev.hapax.flows.connection.Egress;
import dev.hapax.flows.connection.NetworkWayOut;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.connection.TrialReport;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.interpret.Interpreter;
import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.Brokers;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueStart;
import dev.hapax.flows.queue.QueueTerms;
import dev.hapax.flows.step.DestinationList;
import dev.hapax.flows.step.EffectLookup;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.Handler;
import dev.hapax.flows.step.ModelCall;
import dev.hapax.flows.step.StepServices;
import dev.hapax.flows.step.StepVisit;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.json.ValueBudget;
import dev.hapax.time.Ports;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks flow files, and turns them into core flows for an engine.
 *
 * <pre>{@code
 * FlowFiles files = FlowFiles.with(Ports.system()).connections(connections).secrets(secrets).open();
 * LoadedFlow flow = files.load("order.yaml", text, 1);
 * files.register(hapax, flow);
 * flow.start(hapax, input).await();
 * }</pre>
 */
public final class FlowFiles implements AutoCloseable {
  private static final String OF_DRAFTS = "~draft";

  private final Secrets secrets;
  private final StepServices services;
  private final StepServices draftServices;
  private final Map<String, Flow<?, ?>> flows = new ConcurrentHashMap<>();
  private final Map<String, LoadedFlow> files = new ConcurrentHashMap<>();
  private final Map<String, Flow<Object, Object>> drafts = new ConcurrentHashMap<>();
  private final Set<String> couriers = ConcurrentHashMap.newKeySet();
  private final Brokers brokers;
  private final KeptLimits limits = new KeptLimits();
  private final SpendBook spend;
  private final Supplier<AlertPlan> alerts;
  private final Function<String, @Nullable FlowFile> liveFiles;
  private final Predicate<String> retired;

  private FlowFiles(Builder built) {
    this.secrets = built.secrets;
    this.spend = new SpendBook(built.ports.clock(), built.modelCostPerDay);
    this.alerts = built.alerts;
    this.liveFiles = built.liveFiles;
    this.retired = built.retired;
    var redaction = new Redaction();
    this.services =
        new StepServices(
            built.connections,
            built.wayOut == null
                ? built.wayOutAround.apply(
                    new NetworkWayOut(
                        built.egress,
                        secrets,
                        redaction,
                        built.ports.clock(),
                        built.databases,
                        (network, way) ->
                            new Brokers(new BrokerServices(network, way, built.ports))),
                    redaction)
                : built.wayOut,
            redaction,
            built.handlersByName(),
            name -> flowNamed(built.children, name),
            built.callbackUrl,
            built.approvalUrl,
            limits,
            built.valueBytes,
            false,
            FlowFormat.NEWEST,
            built.ports.clock(),
            built.ports.random(),
            built.visits,
            spend,
            built.modelCalls);
    this.draftServices = services.forDrafts(this::draftOf);
    this.brokers =
        new Brokers(
            new BrokerServices(
                services.wayOut(), new BrokerWay(built.egress, secrets, redaction), built.ports));
  }

  private @Nullable Flow<?, ?> flowNamed(
      Function<String, @Nullable Flow<?, ?>> children, String name) {
    Flow<?, ?> found = children.apply(name);
    return found != null ? found : flows.get(name);
  }

  public static Builder with(Ports ports) {
    return new Builder(ports);
  }

  /**
   * Reads a file and makes a flow from it.
   *
   * @param name of the file, for messages
   * @throws BadFlowFile if it has errors
   */
  public LoadedFlow load(String name, String text, int release) {
    return load(name, text, release, FlowFormat.NEWEST);
  }

  /** As above, for a release that was made in this format. */
  public LoadedFlow load(String name, String text, int release, FlowFormat format) {
    return load(Check.checkRelease(name, text, format), release, format);
  }

  /**
   * Makes a flow from a file that was read before, so that many engines can share the reading.
   *
   * @throws BadFlowFile if it has errors
   */
  public LoadedFlow load(Check.Result read, int release) {
    return load(read, release, FlowFormat.NEWEST);
  }

  private LoadedFlow load(Check.Result result, int release, FlowFormat format) {
    Read read = read(result);
    var loaded =
        new LoadedFlow(
            read.file(),
            flowOf(read.file(), release, services.in(format)),
            read.findings(),
            format);
    flows.put(read.file().name(), loaded.flow());
    files.put(read.file().name(), loaded);
    drafts.remove(read.file().name()); // rebuilt from this release
    return loaded;
  }

  /**
   * Makes a flow that is not kept under its name, for a definition that travels with its runs. No
   * other file can call it.
   *
   * @throws BadFlowFile if it has errors
   */
  public LoadedFlow compile(Check.Result result, FlowFormat format) {
    Read read = read(result);
    return new LoadedFlow(
        read.file(), flowOf(read.file(), 1, services.in(format)), read.findings(), format);
  }

  private record Read(FlowFile file, List<Finding> findings) {}

  private static Read read(Check.Result result) {
    FlowFile file = result.file();
    if (file == null || result.hasErrors()) {
      throw new BadFlowFile(result);
    }
    return new Read(file, result.findings());
  }

  /**
   * Reads a file and makes a flow whose runs send nothing: each effect is recorded with its
   * request, and its result is the step's {@code sample}. The runs, keys, effects and map of drafts
   * need their own space, so register and start the flow at {@code
   * hapax.tenant(FlowFiles.draftsOf(tenant))}. The same text is the same release.
   *
   * @throws BadFlowFile if it has errors
   */
  public LoadedFlow loadDraft(String name, String text) {
    return loadDraft(name, text, FlowFormat.NEWEST);
  }

  /** As above, for a draft that was kept in this format. */
  public LoadedFlow loadDraft(String name, String text, FlowFormat format) {
    Read read = read(Check.checkRelease(name, text, format));
    Flow<Object, Object> flow =
        flowOf(read.file(), draftRelease(text, format), draftServices.in(format));
    drafts.put(read.file().name(), flow);
    return new LoadedFlow(read.file(), flow, read.findings(), format);
  }

  /** Returns the tenant that is the space for this tenant's drafts. */
  public static String draftsOf(String tenant) {
    return tenant + OF_DRAFTS;
  }

  /** Returns the tenant whose drafts run in this space; null for any other space. */
  public static @Nullable String ownerOfDrafts(String space) {
    return space.endsWith(OF_DRAFTS)
        ? space.substring(0, space.length() - OF_DRAFTS.length())
        : null;
  }

  /** Returns the number of a draft, by which its waiting runs find its text again. */
  public static int draftRelease(String text, FlowFormat format) {
    byte[] hash =
        Digest.sha256(format == FlowFormat.RAW_PATHS ? text : format.number() + "\n" + text);
    return Math.max(1, ByteBuffer.wrap(hash).getInt() & Integer.MAX_VALUE);
  }

  /** Returns the flow of a draft's child: the draft of that name, or else the loaded file. */
  private @Nullable Flow<Object, Object> draftOf(String name) {
    return drafts.computeIfAbsent(
        name,
        _ -> {
          LoadedFlow loaded = files.get(name);
          return loaded == null
              ? null
              : flowOf(loaded.file(), loaded.flow().release(), draftServices);
        });
  }

  /** Adds a flow in Java that files may run as a child. */
  public FlowFiles add(Flow<?, ?> flow) {
    flows.put(flow.name(), flow);
    return this;
  }

  /**
   * Registers the flow with an engine, and couriers for its messages. From then on the engine keeps
   * to the limits of the connections.
   */
  public void register(Hapax hapax, LoadedFlow loaded) {
    prepare(hapax, loaded);
    hapax.register(loaded.flow());
  }

  /**
   * Registers only what runs of this flow need besides its code, for an engine that asks a {@link
   * dev.hapax.flow.FlowSource} for the code and registers the answer itself.
   */
  public void prepare(Hapax hapax, LoadedFlow loaded) {
    if (loaded.flow() == drafts.get(loaded.file().name())) {
      registerChildren(hapax, loaded.file(), new HashSet<>());
      return;
    }
    limits.in(hapax);
    spend.in(hapax);
    if (loaded.file().usesChannels()) {
      openChannels(hapax);
    }
    loaded.file().allSteps().stream()
        .map(step -> step.kind().courier())
        .filter(Objects::nonNull)
        .filter(destination -> !destination.startsWith(AlertDesk.DESTINATION))
        .forEach(destination -> register(hapax, destination));
  }

  private void register(Hapax hapax, String destination) {
    if (couriers.add(destination)) {
      services.connections().find(destination).ifPresent(limits);
      hapax.outbox().courier(destination, courier(destination));
    }
  }

  /**
   * Registers the courier of a connection, for messages whose flow is not loaded here. Does nothing
   * if there is no such connection, or it has a courier.
   */
  public void openCourier(Hapax hapax, String connection) {
    if (services.connections().find(connection).isPresent()) {
      limits.in(hapax);
      register(hapax, connection);
    }
  }

  /**
   * Registers the couriers of alerts and notices. Flows that use them do it themselves; call it for
   * alerts of flows in Java.
   */
  public void openChannels(Hapax hapax) {
    if (!couriers.add(AlertDesk.DESTINATION)) {
      return;
    }
    var courier =
        new ChannelCourier(
            hapax,
            new ChannelCourier.Parts(
                services.connections(),
                services.wayOut(),
                this::webhooks,
                flow -> retired.test(flow) ? null : services.flows().apply(flow),
                services.approvalUrl()));
    for (Channel.Kind kind : Channel.Kind.values()) {
      hapax.outbox().courier(kind.destination(), courier);
    }
    var desk = new AlertDesk(hapax, services.clock(), this::planOf, services::redact);
    hapax.outbox().courier(AlertDesk.DESTINATION, desk::handle);
  }

  /** Returns who hears of alerts about a flow; null for those that are about no flow. */
  public AlertPlan planOf(@Nullable String flow) {
    FlowFile file = flow == null ? null : fileNamed(flow);
    return file == null ? alerts.get() : file.alerts().over(alerts.get());
  }

  private @Nullable FlowFile fileNamed(String flow) {
    FlowFile live = liveFiles.apply(flow);
    if (live != null) {
      return live;
    }
    LoadedFlow loaded = files.get(flow);
    return loaded == null ? null : loaded.file();
  }

  /** Returns the list of a step's objects at its destination; null if the step declares none. */
  public @Nullable DestinationList listOf(LoadedFlow flow, String step) {
    return stepOf(flow, step)
        .map(one -> DestinationList.of(one, services.in(flow.format())))
        .orElse(null);
  }

  /** Returns the lookup of a step's effect; null if its guard has none. */
  public @Nullable EffectLookup lookupOf(LoadedFlow flow, String step) {
    return stepOf(flow, step)
        .map(one -> EffectLookup.of(one, services.in(flow.format())))
        .orElse(null);
  }

  private static Optional<FlowStep> stepOf(LoadedFlow flow, String step) {
    return flow.file().allSteps().stream().filter(one -> one.id().equals(step)).findFirst();
  }

  /** Registers the children that a draft may call; messages of drafts are not delivered. */
  private void registerChildren(Hapax hapax, FlowFile draft, Set<String> seen) {
    for (var step : draft.allSteps()) {
      for (String child : step.kind().startedFlows()) {
        Flow<Object, Object> flow = seen.add(child) ? draftOf(child) : null;
        LoadedFlow loaded = files.get(child);
        if (flow != null && loaded != null) {
          hapax.register(flow);
          registerChildren(hapax, loaded.file(), seen);
        }
      }
    }
  }

  private Courier courier(String destination) {
    return new BrokerCourier(
        destination, services.connections(), services.wayOut(), webhooks(destination));
  }

  private WebhookCourier webhooks(String destination) {
    return new WebhookCourier(
        destination,
        services.connections(),
        services.wayOut(),
        secrets,
        services.redaction(),
        services.clock());
  }

  private static Flow<Object, Object> flowOf(FlowFile file, int release, StepServices services) {
    Flow.Builder<Object, Object> builder =
        Flow.of(file.name(), Object.class, Object.class)
            .release(release)
            .conflict(file.conflict())
            .onFailure(file.onFailure())
            .onNewRelease(file.onNewRelease())
            .retention(file.retention())
            .afterRetention(file.afterRetention());
    if (file.timeout() != null) {
      builder.timeout(file.timeout());
    }
    JsonSchema schema = file.input();
    if (schema != null) {
      builder.problems(schema::problems);
    }
    if (file.isKeyedByFingerprint()) {
      builder.key(FlowFiles::fingerprint);
    } else if (file.key() != null) {
      Template key = file.key();
      builder.key(input -> text(key, input, services));
    }
    if (file.runbook() != null) {
      builder.runbook(file.runbook());
    }
    for (FlowStep step : file.allSteps()) {
      if (step.runbook() != null) {
        builder.runbook(step.id(), step.runbook());
      }
    }
    file.searchable()
        .forEach((name, value) -> builder.searchable(name, input -> found(value, input, services)));
    Template subject = file.subject();
    if (subject != null) {
      builder.subjects(input -> people(subject, input, services));
    }
    if (!file.alerts().isEmpty() && !services.isDraft()) {
      builder.alerts(
          new FlowAlerts(
              AlertDesk.DESTINATION, file.alerts().channels().keySet(), file.alerts().tooLong()));
    }
    Rate rate = file.rate();
    if (rate != null) {
      builder.rate(rate.limit(), rate.per());
    }
    FlowFile.Concurrency concurrency = file.concurrency();
    if (concurrency != null) {
      Template key = concurrency.key();
      if (key == null) {
        builder.concurrency(concurrency.limit(), concurrency.overflow());
      } else {
        builder.concurrency(
            input -> text(key, input, services), concurrency.limit(), concurrency.overflow());
      }
    }
    return builder.body(new Interpreter(file, services));
  }

  private static String text(Template template, Object input, StepServices services) {
    return template.text(Scope.of(Map.of("input", input)).bounded(services.valueBytes()));
  }

  /** A field without a value is left out: it is no reason to refuse a start. */
  private static @Nullable String found(Template template, Object input, StepServices services) {
    try {
      Scope scope = Scope.of(Map.of("input", input)).bounded(services.valueBytes());
      Object value = template.value(scope);
      return value == null ? null : value instanceof String text ? text : template.text(scope);
    } catch (ExpressionFailed e) {
      return null;
    }
  }

  /** A person without an id is left out, as a field without a value is. */
  private static List<String> people(Template subject, Object input, StepServices services) {
    try {
      Scope scope = Scope.of(Map.of("input", input)).bounded(services.valueBytes());
      Object value = subject.value(scope);
      if (value instanceof List<?> several) {
        return several.stream().filter(Objects::nonNull).map(String::valueOf).toList();
      }
      String one = found(subject, input, services);
      return one == null ? List.of() : List.of(one);
    } catch (ExpressionFailed e) {
      return List.of();
    }
  }

  private static String fingerprint(Object input) {
    return HexFormat.of().formatHex(Digest.sha256(CanonicalJson.of(Json.write(input))));
  }

  /**
   * Returns an error for everything that the flow needs and that is not here: connections, their
   * kinds and secrets, child flows and handlers.
   *
   * @param signing whether there is a secret of this name for the signatures of webhooks
   */
  public List<Finding> missing(FlowFile file, Predicate<String> signing) {
    return missing(file, signing, _ -> Optional.empty(), UnaryOperator.identity());
  }

  /**
   * As above, if these connections were here, too.
   *
   * @param soon instead of connections of the same names that are here
   * @param flowsSoon given which flows are here, says which will be
   */
  public List<Finding> missing(
      FlowFile file,
      Predicate<String> signing,
      Connections soon,
      UnaryOperator<Predicate<String>> flowsSoon) {
    Connections here = services.connections();
    return MissingParts.of(
        file,
        new MissingParts.Parts(
            name -> soon.find(name).or(() -> here.find(name)),
            secrets,
            flowsSoon.apply(this::hasFlow),
            name -> services.handlers().apply(name) != null,
            signing));
  }

  /** A release that this version cannot read is there nevertheless. */
  private boolean hasFlow(String name) {
    try {
      return !retired.test(name) && services.flows().apply(name) != null;
    } catch (BadFlowFile e) {
      return true;
    }
  }

  /**
   * Tries a connection without any effect: resolves, connects, encrypts, authenticates. Takes up to
   * 20 seconds.
   *
   * @return empty if there is no connection of this name
   */
  public Optional<TrialReport> tryConnection(String name) {
    return services.connections().find(name).map(services.wayOut()::test);
  }

  /**
   * Returns why the trigger cannot read its queue here; null if it can, or its connection is not
   * here yet.
   *
   * @param group of its consumers, unless the file names one
   */
  public @Nullable String queueProblem(QueueTrigger trigger, String group) {
    Connection found = services.connections().find(trigger.connection()).orElse(null);
    return found == null ? null : brokers.problem(found, termsOf(found, trigger, group));
  }

  /**
   * Returns the connection of the trigger's queue as it is now. A consumer of an older one is of no
   * use any more.
   *
   * @throws NotApplied if it is not here
   */
  public Connection queueConnection(QueueTrigger trigger) {
    return services
        .connections()
        .use(trigger.connection())
        .orElseThrow(
            () ->
                new NotApplied(
                    "there is no connection '%s'. Set it, and the messages are read"
                        .formatted(trigger.connection())));
  }

  /**
   * Opens a consumer of the trigger's queue.
   *
   * @param group of its consumers, unless the file names one
   * @param memories what groups have read
   */
  public QueueConsumer openQueue(
      Connection connection,
      QueueTrigger trigger,
      String group,
      Function<String, GroupMemory> memories)
      throws Exception {
    QueueTerms terms = termsOf(connection, trigger, group);
    return brokers.open(connection, terms, memories.apply(terms.group()));
  }

  private static QueueTerms termsOf(Connection connection, QueueTrigger trigger, String group) {
    Integer batch = trigger.batch();
    String own = trigger.group();
    String from = trigger.from();
    Integer inFlight = trigger.inFlight();
    int most = batch == null ? QueueTerms.usualBatch(connection) : batch;
    return new QueueTerms(
        trigger.queue(),
        own == null ? group : own,
        own != null,
        inFlight == null ? most : Math.min(most, inFlight),
        trigger.ordered(),
        from == null ? null : QueueStart.of(from),
        trigger.done());
  }

  /** Removes secrets from texts that people see. */
  public Redaction redaction() {
    return services.redaction();
  }

  @Override
  public void close() {
    brokers.close();
    services.wayOut().close();
  }

  /** The services that flows may use. */
  public static final class Builder {
    private final Ports ports;
    private final Map<String, Handler> handlers = new HashMap<>();
    private Connections connections = Connections.NONE;
    private Secrets secrets = Secrets.NONE;
    private Egress egress = Egress.system();
    private Databases.Driver databases = Databases.Driver.NONE;
    private @Nullable WayOut wayOut;
    private BiFunction<WayOut, Redaction, WayOut> wayOutAround = (network, _) -> network;
    private Function<String, @Nullable Handler> otherHandlers = _ -> null;
    private @Nullable Consumer<StepVisit> visits;
    private @Nullable Consumer<ModelCall> modelCalls;
    private Supplier<@Nullable Long> modelCostPerDay = () -> null;
    private Function<String, @Nullable Flow<?, ?>> children = _ -> null;
    private String callbackUrl = "http://127.0.0.1:8899/api/callbacks/";
    private String approvalUrl = "http://127.0.0.1:8899/approvals/";
    private Supplier<AlertPlan> alerts = () -> AlertPlan.NONE;
    private Function<String, @Nullable FlowFile> liveFiles = _ -> null;
    private Predicate<String> retired = _ -> false;
    private int valueBytes = ValueBudget.USUAL;

    private Builder(Ports ports) {
      this.ports = ports;
    }

    public Builder connections(Connections port) {
      this.connections = port;
      return this;
    }

    public Builder secrets(Secrets port) {
      this.secrets = port;
      return this;
    }

    /** Sets the driver for databases of connections that give host, database and user. */
    public Builder databases(Databases.Driver driver) {
      this.databases = driver;
      return this;
    }

    public Builder egress(Egress way) {
      this.egress = way;
      return this;
    }

    /** Sets a stand-in for everything outside: no socket is opened. Closed with these files. */
    public Builder wayOut(WayOut standIn) {
      this.wayOut = standIn;
      return this;
    }

    /** Sets a listener for what becomes of each step; replays report it again. */
    public Builder visits(Consumer<StepVisit> listener) {
      this.visits = listener;
      return this;
    }

    /** Says what all calls of models may cost on one day; null for no limit. Asked each time. */
    public Builder modelCostPerDay(Supplier<@Nullable Long> port) {
      this.modelCostPerDay = port;
      return this;
    }

    /** Sets a listener for calls of models; it is called on the thread of the call. */
    public Builder modelCalls(Consumer<ModelCall> listener) {
      this.modelCalls = listener;
      return this;
    }

    /**
     * Puts something in front of the network, which decides what may use it. It also gets what
     * hides the secrets that were used.
     */
    public Builder wayOutAround(BiFunction<WayOut, Redaction, WayOut> front) {
      this.wayOutAround = front;
      return this;
    }

    /**
     * Says which flow a child run starts, by name; asked each time. Without an answer, it is the
     * flow that was last loaded or added under this name.
     */
    public Builder children(Function<String, @Nullable Flow<?, ?>> port) {
      this.children = port;
      return this;
    }

    /** Registers the handler that a {@code call} step finds under this name. */
    public Builder handler(String name, Handler handler) {
      handlers.put(name, handler);
      return this;
    }

    /** Finds the handlers that have not been registered; asked each time. */
    public Builder handlers(Function<String, @Nullable Handler> others) {
      this.otherHandlers = others;
      return this;
    }

    private Function<String, @Nullable Handler> handlersByName() {
      Map<String, Handler> known = Map.copyOf(handlers);
      Function<String, @Nullable Handler> others = otherHandlers;
      return name -> {
        Handler found = known.get(name);
        return found == null ? others.apply(name) : found;
      };
    }

    /** Sets the address in front of a link to an approval. */
    public Builder approvalUrl(String url) {
      this.approvalUrl = url;
      return this;
    }

    /** Sets the address in front of a callback's token. */
    public Builder callbackUrl(String url) {
      this.callbackUrl = url;
      return this;
    }

    /** Sets who hears of alerts about all flows; a flow's own plan comes first. */
    public Builder alerts(AlertPlan plan) {
      return alerts(() -> plan);
    }

    /** As above, asked each time. */
    public Builder alerts(Supplier<AlertPlan> port) {
      this.alerts = port;
      return this;
    }

    /**
     * Says which file of a flow is live, for its alerts; asked each time. Without an answer, it is
     * the file that was last loaded under this name.
     */
    public Builder liveFiles(Function<String, @Nullable FlowFile> port) {
      this.liveFiles = port;
      return this;
    }

    /**
     * Says whether a flow is retired; asked each time. Runs under way still start it as a child
     * run, but no alert does, and it is missing for new releases.
     */
    public Builder retired(Predicate<String> port) {
      this.retired = port;
      return this;
    }

    /**
     * Sets the size of the largest value that a step gets, makes or passes on, 1 MiB by default. A
     * step that would exceed it fails with {@code value-too-large}; a larger answer of an HTTP
     * request is kept as a resource.
     */
    public Builder valueBytes(int bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("valueBytes: expected 1 or more, got " + bytes);
      }
      this.valueBytes = bytes;
      return this;
    }

    public FlowFiles open() {
      return new FlowFiles(this);
    }
  }
}
