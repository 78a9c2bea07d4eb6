package dev.hapax.app.observe;

import dev.hapax.Destinations;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.OpenWork;
import dev.hapax.time.Threads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gauges of what is open in the store and at its destinations. The store is asked when a scrape
 * comes, but not again for some seconds, and the less often the longer it takes. A scrape waits a
 * moment for the answer, and shows the last one if none comes. Safe for many threads.
 */
final class OpenFigures {
  /** More flows than these are one together, so that flows cannot flood the scraper. */
  static final int MOST_FLOWS = 50;

  static final String OTHERS = "others";
  private static final int NEWEST = 10_000;
  private static final Duration KEPT = Duration.ofSeconds(5);

  /**
   * So many times longer than the last read took is until the next one: at most 5 % of a reader.
   */
  private static final int PAUSES_PER_READ = 20;

  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Logger log = LoggerFactory.getLogger(OpenFigures.class);

  private final Source source;
  private final Threads threads;
  private final boolean namesFlows;
  private final MultiGauge runs;
  private volatile Figures figures =
      new Figures(NOTHING, new Destinations.Load(Map.of(), 0), null, System.nanoTime());
  private CompletableFuture<?> reading = CompletableFuture.completedFuture(null); // by this
  private long nextAt = System.nanoTime(); // by this

  private static final OpenWork NOTHING = new OpenWork(List.of(), List.of(), 0, 0, 0, null, 0);

  /** Where the figures come from. */
  interface Source {
    OpenWork open(int newest);

    /** When the first run that is in no memory is due, or was. */
    @Nullable Instant nextDue();

    Destinations.Load destinations();

    Instant now();
  }

  private record Figures(
      OpenWork work, Destinations.Load destinations, @Nullable Instant nextDue, long readAt) {}

  /**
   * Registers the gauges.
   *
   * @param namesFlows whether readers may see the names of flows
   */
  OpenFigures(Source source, Threads threads, MeterRegistry registry, boolean namesFlows) {
    this.source = source;
    this.threads = threads;
    this.namesFlows = namesFlows;
    this.runs =
        MultiGauge.builder("hapax.runs")
            .description("Runs that have not ended, by status and flow")
            .register(registry);
    for (String state : List.of("doubt", "review")) {
      gauge(
              "hapax.effects.open",
              "Effects whose outcome is unknown: their guard settles a doubt, a person a review",
              now -> state.equals("doubt") ? now.work().doubts() : now.work().reviews())
          .tag("state", state)
          .register(registry);
    }
    register(
        registry,
        "hapax.approvals.open",
        "Approvals without a decision",
        now -> now.work().approvals());
    register(
        registry,
        "hapax.approvals.oldest.age.seconds",
        "How long the oldest open question waits",
        now -> secondsSince(now.work().oldestApproval()));
    register(
        registry,
        "hapax.line.length",
        "Runs that wait in line for a slot or a lock",
        now -> now.work().inLine());
    register(
        registry,
        "hapax.calls.waiting",
        "Calls that wait for their turn at a destination, on this node",
        now -> now.destinations().waiting());
    register(
        registry,
        "hapax.due.oldest.age.seconds",
        "How long the oldest run that is due waits for a node",
        now -> secondsSince(now.nextDue()));
    for (String state : List.of("closed", "half-open", "open")) {
      gauge(
              "hapax.breakers",
              "Circuit breakers of destinations by state, on this node",
              now -> now.destinations().breakers().getOrDefault(state, 0))
          .tag("state", state)
          .register(registry);
    }
    register(
        registry,
        "hapax.figures.age.seconds",
        "How old the figures about open work are",
        now -> (System.nanoTime() - now.readAt()) / 1e9);
  }

  private interface Figure {
    Number of(Figures now);
  }

  private void register(MeterRegistry registry, String name, String description, Figure figure) {
    gauge(name, description, figure).register(registry);
  }

  private Gauge.Builder<?> gauge(String name, String description, Figure figure) {
    return Gauge.builder(name, this, all -> figure.of(all.figures).doubleValue())
        .description(description)
        .strongReference(true);
  }

  private double secondsSince(@Nullable Instant time) {
    return time == null ? 0 : Math.max(0, Duration.between(time, source.now()).toMillis() / 1e3);
  }

  /** Called before every scrape. */
  void refresh() {
    try {
      reading().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.debug("the figures of this scrape are those of an earlier one", e);
    }
  }

  private synchronized CompletableFuture<?> reading() {
    if (reading.isDone() && System.nanoTime() - nextAt >= 0) {
      var next = new CompletableFuture<@Nullable Void>();
      reading = next;
      threads.virtual("hapax-figures", () -> read(next));
    }
    return reading;
  }

  private void read(CompletableFuture<@Nullable Void> done) {
    long begin = System.nanoTime();
    try {
      OpenWork work = source.open(NEWEST);
      figures = new Figures(work, source.destinations(), source.nextDue(), System.nanoTime());
      runs.register(rows(work), true);
      later(begin);
      done.complete(null);
    } catch (RuntimeException | Error e) {
      later(begin);
      done.completeExceptionally(e); // the next scrape asks again
      if (e instanceof Error error) {
        throw error;
      }
    }
  }

  private synchronized void later(long begin) {
    long now = System.nanoTime();
    nextAt = now + Math.max(KEPT.toNanos(), (now - begin) * PAUSES_PER_READ);
  }

  /** The runs of each status by flow; what no flow accounts for belongs to the others. */
  private List<MultiGauge.Row<?>> rows(OpenWork work) {
    List<String> named = namesFlows ? largest(work) : List.of();
    var rows = new ArrayList<MultiGauge.Row<?>>();
    for (OpenWork.Runs all : work.runs()) {
      long rest = all.count();
      for (OpenWork.Runs one : work.byFlow()) {
        String flow = one.flow();
        if (one.status() == all.status() && flow != null && named.contains(flow)) {
          rows.add(row(flow, one.status(), one.count()));
          rest -= one.count();
        }
      }
      if (rest > 0) {
        rows.add(row(OTHERS, all.status(), rest));
      }
    }
    return rows;
  }

  private static List<String> largest(OpenWork work) {
    var counts = new HashMap<String, Long>();
    work.byFlow()
        .forEach(one -> counts.merge(Objects.requireNonNull(one.flow()), one.count(), Long::sum));
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(MOST_FLOWS)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static MultiGauge.Row<?> row(String flow, RunStatus status, long count) {
    return MultiGauge.Row.of(Tags.of("flow", flow, "status", status.word()), count);
  }
}
