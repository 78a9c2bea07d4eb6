package dev.hapax.app.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Figures of queues, by their names. The first ones have names, and the rest is one together. */
final class QueueMeters {
  private static final String LABEL = "queue";

  private final MeterRegistry registry;
  private final boolean names;

  /** Also keeps them: the registry alone would let them be collected. */
  private final Map<String, Labelled> labelled = new ConcurrentHashMap<>();

  /** Queues of one label: those of two tenants may have one name. */
  private static final class Labelled {
    private final Map<String, List<LongSupplier>> counts = new ConcurrentHashMap<>();
    private final List<Supplier<@Nullable Long>> lags = new CopyOnWriteArrayList<>();

    double count(String name) {
      return counts.getOrDefault(name, List.of()).stream().mapToLong(LongSupplier::getAsLong).sum();
    }

    /** Not a number as long as none of them is known. */
    double lag() {
      double sum = Double.NaN;
      for (Supplier<@Nullable Long> one : lags) {
        Long lag = one.get();
        if (lag != null) {
          sum = Double.isNaN(sum) ? lag : sum + lag;
        }
      }
      return sum;
    }
  }

  QueueMeters(MeterRegistry registry, boolean names) {
    this.registry = registry;
    this.names = names;
  }

  private String labelOf(String queue) {
    boolean hasOwn =
        names && (labelled.containsKey(queue) || labelled.size() < OpenFigures.MOST_FLOWS);
    return hasOwn ? queue : OpenFigures.OTHERS;
  }

  synchronized void count(String queue, String name, String description, LongSupplier figure) {
    String label = labelOf(queue);
    Labelled of = labelled.computeIfAbsent(label, _ -> new Labelled());
    of.counts.computeIfAbsent(name, _ -> new CopyOnWriteArrayList<>()).add(figure);
    FunctionCounter.builder(name, of, all -> all.count(name))
        .description(description)
        .tag(LABEL, label)
        .register(registry);
  }

  synchronized void lag(String queue, Supplier<@Nullable Long> figure) {
    String label = labelOf(queue);
    Labelled of = labelled.computeIfAbsent(label, _ -> new Labelled());
    of.lags.add(figure);
    Gauge.builder("hapax.queue.lag", of, Labelled::lag)
        .description("Messages that wait at the broker, as this node has counted them")
        .tag(LABEL, label)
        .register(registry);
  }
}
