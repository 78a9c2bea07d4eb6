package dev.hapax.app.observe;

import dev.hapax.Destinations;
import dev.hapax.Hapax;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.model.ModelTokens;
import dev.hapax.flows.step.ModelCall;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.OpenWork;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.Threads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Figures for Prometheus. No label names a tenant or a key, and only figures that need a token name
 * flows: other readers see how much is done, not what.
 */
public final class Metrics implements Routes.Observer, AutoCloseable {
  private static final Duration[] COMMIT_BUCKETS =
      IntStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collector = new JvmGcMetrics();
  private final Counter started;
  private final Map<RunStatus, Counter> ended = new EnumMap<>(RunStatus.class);
  private final Counter quarantined;
  private final Timer commits;
  private final DistributionSummary groups;
  private final ConcurrentMap<Answered, Timer> answered = new ConcurrentHashMap<>();

  private final StoppedDuplicates duplicates;
  private final QueueMeters queues;
  private final boolean namesFlows;
  private final Set<String> troubledFlows = ConcurrentHashMap.newKeySet();
  private final List<LongSupplier> figures = new CopyOnWriteArrayList<>();
  private volatile @Nullable OpenFigures open;

  private record Answered(Route route, int status) {}

  /**
   * Figures of a new server.
   *
   * @param isPublic whether everyone may read them; then no label names a flow
   */
  public Metrics(boolean isPublic) {
    this.namesFlows = !isPublic;
    // Their names break Prometheus' own rules; process.cpu.usage and the scraper show as much.
    registry
        .config()
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"));
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collector.bindTo(registry);
    started =
        Counter.builder("hapax.runs.started")
            .description("Runs that were created, without stopped duplicates")
            .register(registry);
    for (RunStatus status : RunStatus.values()) {
      if (status.isEnd()) {
        ended.put(
            status,
            Counter.builder("hapax.runs.ended")
                .description("Runs that ended, by status")
                .tag("status", status.word())
                .register(registry));
      }
    }
    quarantined =
        Counter.builder("hapax.runs.quarantined")
            .description("Runs that were kept out of memory, because they seem to end the server")
            .register(registry);
    commits =
        Timer.builder("hapax.commits")
            .description("Transactions of the store")
            .serviceLevelObjectives(COMMIT_BUCKETS)
            .register(registry);
    groups =
        DistributionSummary.builder("hapax.commit.groups")
            .description("Runs per transaction")
            .register(registry);
    duplicates = new StoppedDuplicates(registry);
    queues = new QueueMeters(registry, namesFlows);
  }

  /** Adds the figures of what is open. */
  public void open(Hapax hapax, Store store, Clock clock, Threads threads) {
    open =
        new OpenFigures(
            new OpenFigures.Source() {
              @Override
              public OpenWork open(int newest) {
                return store.tenants().open(newest);
              }

              @Override
              public @Nullable Instant nextDue() {
                return store.nextDue(null);
              }

              @Override
              public Destinations.Load destinations() {
                return hapax.destinations().ofAllTenants();
              }

              @Override
              public Instant now() {
                return clock.now();
              }
            },
            threads,
            registry,
            namesFlows);
  }

  /** Counts a run that failed or is in review. */
  public void troubled(String flow, RunStatus status) {
    String name = namesFlows && isNamed(flow) ? flow : OpenFigures.OTHERS;
    Counter.builder("hapax.runs.troubled")
        .description("Runs that failed or wait for a person, by flow and status")
        .tag("flow", name)
        .tag("status", status.word())
        .register(registry)
        .increment();
  }

  /** Counts a call of a model that has ended. */
  public void modelCalled(ModelCall call) {
    Counter.builder("hapax.model.calls")
        .description("Calls of language models, by outcome")
        .tag("outcome", call.outcome())
        .register(registry)
        .increment();
    ModelTokens tokens = call.tokens();
    if (tokens != null) {
      count("input", tokens.input());
      count("output", tokens.output());
    }
    if (call.cost() != null) {
      Counter.builder("hapax.model.cost")
          .description("What calls of language models cost, in the currency of the prices")
          .register(registry)
          .increment(call.cost().doubleValue());
    }
  }

  private void count(String kind, long tokens) {
    Counter.builder("hapax.model.tokens")
        .description("Tokens of language models, of questions and of answers")
        .tag("kind", kind)
        .register(registry)
        .increment((double) tokens);
  }

  /**
   * Counts a call of a tool by an agent.
   *
   * @param kind of the tool
   * @param outcome of the call
   */
  public void toolCalled(String kind, String outcome) {
    Counter.builder("hapax.mcp.calls")
        .description("Calls of tools over MCP, by kind of tool and outcome")
        .tag("kind", kind)
        .tag("outcome", outcome)
        .register(registry)
        .increment();
  }

  /** The first flows have names, and the rest is one together. */
  private boolean isNamed(String flow) {
    return troubledFlows.contains(flow)
        || (troubledFlows.size() < OpenFigures.MOST_FLOWS && troubledFlows.add(flow));
  }

  /** Adds this figure, which only grows. */
  public void count(String name, String description, LongSupplier figure) {
    figures.add(figure); // the registry alone would let it be collected, and the figure stand still
    FunctionCounter.builder(name, figure, LongSupplier::getAsLong)
        .description(description)
        .register(registry);
  }

  /** Adds this figure of a queue, which only grows. */
  public void countQueue(String queue, String name, String description, LongSupplier figure) {
    queues.count(queue, name, description, figure);
  }

  /** Adds how many messages of a queue wait; null if that is not known. */
  public void lag(String queue, Supplier<@Nullable Long> figure) {
    queues.lag(queue, figure);
  }

  /**
   * Returns its routes.
   *
   * @param operator the tenant whose callers may see figures of the whole server
   */
  public List<Route> routes(String operator) {
    boolean isPublic = !namesFlows;
    return List.of(
        Route.get(
                "/metrics",
                isPublic ? TokenScope.PUBLIC : TokenScope.METRICS_READ,
                "Get metrics for Prometheus",
                call -> {
                  if (!isPublic && !call.actor().tenant().equals(operator)) {
                    throw Problem.forbidden(
                        "metrics are of the whole server: use a token of the operator's tenant");
                  }
                  OpenFigures shown = open;
                  if (shown != null) {
                    shown.refresh();
                  }
                  return RouteAnswer.text(
                      registry.scrape(), "text/plain; version=0.0.4; charset=utf-8");
                })
            .givesText("text/plain"));
  }

  /** Counts the changes of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers, long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    groups.record(batch.groups().size());
    duplicates.committed(batch, answers);
    batch.groups().stream().filter(Metrics::quarantines).forEach(_ -> quarantined.increment());
    RunChange.in(
        batch,
        answers,
        change -> {
          if (change.isNew()) {
            started.increment();
          }
          RunStatus status = change.status();
          Counter end = status == null ? null : ended.get(status);
          if (end != null) {
            end.increment();
          }
        });
  }

  /** Such a group is conditional on a run that only its owner writes to, so it lands. */
  private static boolean quarantines(Group group) {
    return group.changes().stream().anyMatch(Change.Quarantine.class::isInstance);
  }

  @Override
  public RouteAnswer around(Route route, Request request, Supplier<RouteAnswer> handling) {
    long begin = System.nanoTime();
    RouteAnswer answer = handling.get();
    answered
        .computeIfAbsent(new Answered(route, answer.status()), this::timer)
        .record(System.nanoTime() - begin, TimeUnit.NANOSECONDS);
    return answer;
  }

  private Timer timer(Answered what) {
    return Timer.builder("hapax.http.requests")
        .description("Requests by route and status")
        .tag("method", what.route().method().name())
        .tag("route", what.route().path())
        .tag("status", Integer.toString(what.status()))
        .register(registry);
  }

  @Override
  public void close() {
    collector.close();
    registry.close();
  }
}
