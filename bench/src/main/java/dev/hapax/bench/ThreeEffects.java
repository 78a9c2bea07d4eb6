package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Flow;
import dev.hapax.store.Store;
import dev.hapax.testkit.fault.PostgresServer;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/** Runs of three keyed effects, started and awaited by a number of callers. */
record ThreeEffects(Kind kind, int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TIME = Duration.ofSeconds(10);

  enum Kind {
    SQLITE,
    /** On its own server with fsync. */
    POSTGRES,
    /** Nothing is durable: measures the cost of the engine itself. */
    MEMORY
  }

  @Override
  public String name() {
    return "three-effects.%s.%d".formatted(kind.name().toLowerCase(Locale.ROOT), callers);
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    switch (kind) {
      case SQLITE -> measure(Workspace.open(workspace.file("runs.db")), report);
      case MEMORY -> measure(new MemoryStore(), report);
      case POSTGRES -> {
        try (var server = PostgresServer.start(PostgresServer.Durability.FULL)) {
          measure(Workspace.open(server), report);
        }
      }
    }
  }

  private void measure(Store store, Report report) throws Exception {
    var counting = new CountingStore(store);
    Callers.Outcome outcome = runs(counting, callers);

    Figure pace = Figure.of(name() + ".runs-per-s", outcome.perSecond(), "runs/s");
    Figure half = Figure.of(name() + ".p50-ms", outcome.percentileMillis(50), "ms");
    Figure most = Figure.of(name() + ".p99-ms", outcome.percentileMillis(99), "ms");
    Figure cpu = Figure.of(name() + ".cpu-us-per-run", outcome.cpuMicrosPerCall(), "us of CPU/run");
    if (kind == Kind.MEMORY) {
      report.add(pace);
      report.add(cpu);
      return;
    }
    if (kind == Kind.SQLITE) {
      pace = pace.against(commits -> commits);
      half = half.against(commits -> 4 * 1000 / commits);
    }
    report.add(
        switch (kind == Kind.SQLITE ? callers : 0) {
          case 256 -> pace.aims(Goal.ratioAtLeast(0.6, 1.5));
          case 32 -> pace.aims(Goal.ratioAtLeast(0.4, 0.8));
          default -> pace;
        });
    report.add(callers == 1 && kind == Kind.SQLITE ? half.aims(Goal.ratioAtMost(3, 2)) : half);
    report.add(most);
    report.add(cpu);
    double all = outcome.all();
    report.add(
        Figure.of(name() + ".commits-per-run", counting.commits.sum() / all, "transactions/run"));
    report.add(
        Figure.of(name() + ".groups-per-run", counting.groups.sum() / all, "awaited commits/run")
            .aims(Goal.atMost(4.1, 4.001)));
  }

  /** The load on a large store uses it too, so that the two differ in nothing else. */
  static Callers.Outcome runs(Store store, int callers)
      throws InterruptedException, ExecutionException {
    Flow<Order, Receipt> flow = OrderFlow.flow();
    try (var hapax = Hapax.open(store, HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      return new Callers(callers, WARM_UP, TIME)
          .call(() -> hapax.start(flow, OrderFlow.randomOrder()).await());
    }
  }
}
