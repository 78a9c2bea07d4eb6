package dev.hapax.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.JobRequest;
import dev.hapax.RunFailed;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayWish;
import dev.hapax.store.Store;
import dev.hapax.testkit.fault.PostgresServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The replay of many runs that failed at their second of three effects: how long the plan takes and
 * what it needs of memory; then whether the job keeps to its rate, and what it costs other runs.
 */
record ReplayPlans(ThreeEffects.Kind kind, int runs) implements Load {
  private static final String NAME = "replayed";
  private static final int SEEDERS = 256;
  private static final int CALLERS = 32;
  private static final int RATE = 100;
  private static final Duration WARM_UP = Duration.ofSeconds(3);
  private static final Duration TIME = Duration.ofSeconds(10);
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final double MEGABYTE = 1 << 20;

  @Override
  public String name() {
    return "replay-plan.%s.%d".formatted(kind.name().toLowerCase(Locale.ROOT), runs);
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    if (kind == ThreeEffects.Kind.POSTGRES) {
      try (var server = PostgresServer.start(PostgresServer.Durability.FULL)) {
        measure(Workspace.open(server), report);
      }
    } else {
      measure(Workspace.open(workspace.file("replay.db")), report);
    }
  }

  private void measure(Store store, Report report) throws Exception {
    var isDown = new AtomicBoolean(true);
    Flow<Order, Receipt> failing = failing(isDown);
    Flow<Order, Receipt> others = OrderFlow.flow();
    try (var hapax = Hapax.open(store, HapaxOptions.DEFAULT)) {
      hapax.register(failing);
      hapax.register(others);
      seed(hapax, failing);
      Job plan = plan(hapax, report);
      isDown.set(false);
      apply(hapax, others, plan, report);
    }
  }

  private static Flow<Order, Receipt> failing(AtomicBoolean isDown) {
    return Flow.of(NAME, Order.class, Receipt.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              Receipt charge =
                  run.effect(
                      "charge",
                      Effect.create(order.id()).request(order).keyed(),
                      (_, wanted) -> OrderFlow.receipt(wanted),
                      Receipt.class);
              run.effect(
                  "invoice",
                  Effect.create(order.id()).request(order).keyed(),
                  (_, _) -> {
                    if (isDown.get()) {
                      throw new Rejected("accounting-down", "accounting is down");
                    }
                  });
              run.effect("mail", Effect.notify(order.id()).request(charge).keyed(), (_, _) -> {});
              return charge;
            });
  }

  private void seed(Hapax hapax, Flow<Order, Receipt> flow)
      throws InterruptedException, ExecutionException {
    long begin = System.nanoTime();
    var rest = new AtomicInteger(runs);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < SEEDERS; i++) {
        var _ =
            threads.submit(
                () -> {
                  while (rest.getAndDecrement() > 0) {
                    fail(hapax, flow);
                  }
                });
      }
    }
    System.err.printf(
        "bench:   %,d runs failed in %.0f s%n", runs, (System.nanoTime() - begin) / 1e9);
  }

  private static void fail(Hapax hapax, Flow<Order, Receipt> flow) {
    try {
      hapax.start(flow, OrderFlow.randomOrder()).await();
      throw new IllegalStateException("it should have failed");
    } catch (RunFailed e) {
      // as it should
    }
  }

  private Job plan(Hapax hapax, Report report) throws InterruptedException {
    JobRequest request =
        JobRequest.replay(
                JobSelection.NONE.flow(NAME).error("accounting-down"),
                ReplayWish.from("invoice"),
                "bench")
            .rate(RATE);
    long begin = System.nanoTime();
    double cpu = cpuSeconds();
    Job plan = hapax.jobs().plan(request);
    plan = await(hapax, plan, runs / 10);
    double before = usedMegabytes();
    plan = await(hapax, plan, runs * 9 / 10);
    double after = usedMegabytes();
    plan = await(hapax, plan, Integer.MAX_VALUE);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpuTaken = cpuSeconds() - cpu;
    if (plan.items() != runs || plan.totals().getOrDefault("send", 0L) != 2L * runs) {
      throw new IllegalStateException("the plan is not as expected: " + plan.totals());
    }
    report.add(Figure.of(name() + ".seconds", seconds, "s").aims(Goal.atMost(60, 30)));
    report.add(Figure.of(name() + ".cpu-s", cpuTaken, "s of CPU of this process"));
    report.add(
        Figure.of(name() + ".heap-growth-mb", Math.max(0, after - before), "MB from 10 % to 90 %")
            .aims(Goal.atMost(32, 8)));
    return plan;
  }

  /** Until it is planned, or has found this many runs. */
  private static Job await(Hapax hapax, Job plan, int found) throws InterruptedException {
    Job now = plan;
    while (now.state() == JobState.PLANNING && now.items() < found) {
      Thread.sleep(LOOK);
      now = hapax.jobs().job(plan.id());
    }
    return now;
  }

  /** Unlike the time, it hardly depends on what else the machine does. */
  private static double cpuSeconds() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e9;
  }

  private static double usedMegabytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
  }

  private void apply(Hapax hapax, Flow<Order, Receipt> others, Job plan, Report report)
      throws Exception {
    Callers.Call call = () -> hapax.start(others, OrderFlow.randomOrder()).await();
    Callers.Outcome alone = new Callers(CALLERS, WARM_UP, TIME).call(call);
    hapax.jobs().apply(plan.id(), "bench", null);
    Callers.Outcome beside;
    double perSecond;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Double> pace = threads.submit(() -> pace(hapax, plan));
      beside = new Callers(CALLERS, WARM_UP, TIME).call(call);
      perSecond = pace.get();
    }
    hapax.jobs().cancel(plan.id());
    double reference = alone.percentileMillis(99);
    report.add(
        Figure.of(name() + ".applied-per-s", perSecond, "runs/s at a rate of " + RATE)
            .against(_ -> RATE)
            .aims(Goal.ratioAtMost(1.02, 1.02)));
    report.add(
        Figure.of(name() + ".others-p99-ms", beside.percentileMillis(99), "ms")
            .against(_ -> reference)
            .aims(Goal.ratioAtMost(2, 1.5)));
    report.add(Figure.of(name() + ".others-runs-per-s", beside.perSecond(), "runs/s"));
  }

  /** The runs that the job replays in a second, after the warm-up. */
  private static double pace(Hapax hapax, Job plan) throws InterruptedException {
    Thread.sleep(WARM_UP);
    long begin = System.nanoTime();
    long before = hapax.jobs().job(plan.id()).done();
    Thread.sleep(TIME);
    long after = hapax.jobs().job(plan.id()).done();
    return (after - before) * 1e9 / (System.nanoTime() - begin);
  }
}
