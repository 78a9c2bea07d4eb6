package dev.hapax.app.observe;

import dev.hapax.app.http.Answer;
import dev.hapax.app.http.Request;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Scope;
import dev.hapax.run.RunStatus;
import dev.hapax.store.Batch;
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
  private final Timer commits;
  private final DistributionSummary groups;
  private final ConcurrentMap<Answered, Timer> answered = new ConcurrentHashMap<>();

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
            .description("Runs that were made; stopped duplicates are none")
            .register(registry);
    for (RunStatus status : RunStatus.values()) {
      if (status.isEnd()) {
        ended.put(
            status,
            Counter.builder("hapax.runs.ended")
                .description("Runs that came to an end, by what it was")
                .tag("status", status.word())
                .register(registry));
      }
    }
    commits =
        Timer.builder("hapax.commits").description("Transactions of the store").register(registry);
    groups =
        DistributionSummary.builder("hapax.commit.groups")
            .description("How many runs share a transaction")
            .register(registry);
  }

  /** Adds this figure, which only grows. */
  public void count(String name, String description, LongSupplier figure) {
    FunctionCounter.builder(name, figure, LongSupplier::getAsLong)
        .description(description)
        .register(registry);
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.get(
                "/metrics",
                Scope.PUBLIC,
                "Figures for Prometheus",
                _ -> Answer.text(registry.scrape(), "text/plain; version=0.0.4; charset=utf-8"))
            .givesText("text/plain"));
  }

  /** Counts the changes of a commit. */
  public void committed(Batch batch, List<GroupAnswer> answers, long nanos) {
    commits.record(nanos, TimeUnit.NANOSECONDS);
    groups.record(batch.groups().size());
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

  @Override
  public Answer around(Route route, Request request, Supplier<Answer> handling) {
    long begin = System.nanoTime();
    Answer answer = handling.get();
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
