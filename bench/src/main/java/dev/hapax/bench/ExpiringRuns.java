package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Flow;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Runs of three effects while finished ones expire: the clock jumps past their retention, and the
 * paces before and after the jump are compared.
 */
record ExpiringRuns(int finished, int callers) implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration TIME = Duration.ofSeconds(10);

  /** The time until the engine's timer notices that the clock jumped. */
  private static final Duration NOTICED = Duration.ofSeconds(6);

  @Override
  public String name() {
    return "expiry.sqlite." + callers;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    Path file = workspace.file("expiry.db");
    FinishedRuns.load(file, finished);
    Flow<Order, Receipt> flow = OrderFlow.flow();
    Ports system = Ports.system();
    var clock = new JumpingClock(system.clock());
    var ports = new Ports(clock, system.random(), system.threads());
    try (var hapax = Hapax.open(Workspace.open(file), HapaxOptions.DEFAULT.ports(ports))) {
      hapax.register(flow);
      Callers.Call call = () -> hapax.start(flow, OrderFlow.randomOrder()).await();
      Callers.Outcome alone = new Callers(callers, WARM_UP, TIME).call(call);
      clock.jump(flow.retention().plusDays(1));
      new Callers(callers, Duration.ZERO, NOTICED).call(call);

      long before = hapax.retention().deleted().runs();
      long begin = System.nanoTime();
      Callers.Outcome beside = new Callers(callers, Duration.ZERO, TIME).call(call);
      long deleted = hapax.retention().deleted().runs() - before;
      double seconds = (System.nanoTime() - begin) / 1e9;

      double reference = alone.perSecond();
      report.add(
          Figure.of(name() + ".deleted-per-s", deleted / seconds, "runs/s")
              .aims(Goal.atLeast(2_000, 2_000)));
      report.add(
          Figure.of(name() + ".runs-per-s", beside.perSecond(), "runs/s")
              .against(_ -> reference)
              .aims(Goal.ratioAtLeast(0.8, 0.9)));
      report.add(Figure.of(name() + ".p99-ms", beside.percentileMillis(99), "ms"));
      report.add(Figure.of(name() + ".p99-ms-without", alone.percentileMillis(99), "ms"));
    }
  }

  private static final class JumpingClock implements Clock {
    private final Clock system;
    private volatile Duration ahead = Duration.ZERO;

    private JumpingClock(Clock system) {
      this.system = system;
    }

    void jump(Duration by) {
      ahead = by;
    }

    @Override
    public Instant now() {
      return system.now().plus(ahead);
    }

    @Override
    public long nanos() {
      return system.nanos();
    }
  }
}
