package dev.hapax.app.observe;

import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Figures for Prometheus. No label names a tenant, a flow or a key: readers see how much is done,
 * not what.
 */
public final class Metrics implements Routes.Observer, AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collector = new JvmGcMetrics();
  private final Counter started;
  private final Map<RunStatus, Counter> ended = new EnumMap<>(RunStatus.class);
  private final Counter quarantined;
  private final Timer commits;
  private final DistributionSummary groups;
  private final ConcurrentMap<Answered, Timer> answered = new ConcurrentHashMap<>();

  private final List<LongSupplier> figures = new CopyOnWriteArrayList<>();

  private record Answered(Route route, int status) {}

  public Metrics() {
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
        Timer.builder("hapax.commits").description("Transactions of the store").register(registry);
    groups =
        DistributionSummary.builder("hapax.commit.groups")
            .description("Runs per transaction")
            .register(registry);
  }

  /** Adds this figure, which only grows. */
  public void count(String name, String description, LongSupplier figure) {
    figures.add(figure); // the registry alone would let it be collected, and the figure stand still
    FunctionCounter.builder(name, figure, LongSupplier::getAsLong)
        .description(description)
        .register(registry);
  }

  /**
   * Returns its routes.
   *
   * @param isPublic whether no token is needed
   * @param operator the tenant whose callers may see figures of the whole server
   */
  public List<Route> routes(boolean isPublic, String operator) {
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
                  return RouteAnswer.text(
                      registry.scrape(), "text/plain; version=0.0.4; charset=utf-8");
                })
            .givesText("text/plain"));
  }

  /** Counts the changes of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers, long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    groups.record(batch.groups().size());
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
