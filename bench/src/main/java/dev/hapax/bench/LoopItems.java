package dev.hapax.bench;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.bench.OrderFlow.Order;
import dev.hapax.bench.OrderFlow.Receipt;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * One run with many items of one effect each, compared with as many runs of one effect, and the
 * heap per item at the last item.
 */
record LoopItems(int items) implements Load {
  private static final int AT_ONCE = 256;

  /** Enough to fill everything that has its own bound. */
  private static final int FEW = 20_000;

  private static final int MANY = 100_000;

  @Override
  public String name() {
    return "items.sqlite." + items;
  }

  @Override
  public void measure(Workspace workspace, Report report) throws Exception {
    double single = singleRuns(workspace);
    double inLoop = 0;
    for (int i = 0; i < 3; i++) { // the last one is warm
      inLoop = loop(workspace, i);
    }
    report.add(
        Figure.of(name() + ".effects-per-s", inLoop, "effects/s")
            .against(_ -> single)
            .aims(Goal.ratioAtLeast(0.5, 1)));
    long few = heapAtLastItem(workspace, FEW);
    long many = heapAtLastItem(workspace, MANY);
    report.add(
        Figure.of(
                name() + ".bytes-per-item",
                Math.max(0, many - few) / (double) (MANY - FEW),
                "bytes of heap/item")
            .aims(Goal.atMost(200, 50)));
  }

  private static double singleRuns(Workspace workspace) throws Exception {
    Flow<Order, Receipt> flow =
        Flow.of("single", Order.class, Receipt.class).key(Order::id).body(LoopItems::charge);
    try (var hapax =
        Hapax.open(Workspace.open(workspace.file("single.db")), HapaxOptions.DEFAULT)) {
      hapax.register(flow);
      return new Callers(AT_ONCE, Duration.ofSeconds(3), Duration.ofSeconds(6))
          .call(() -> hapax.start(flow, OrderFlow.randomOrder()).await())
          .perSecond();
    }
  }

  private double loop(Workspace workspace, int round) {
    List<Order> orders = Stream.generate(OrderFlow::randomOrder).limit(items).toList();
    try (var hapax =
        Hapax.open(Workspace.open(workspace.file("loop-" + round + ".db")), HapaxOptions.DEFAULT)) {
      Flow<Integer, Long> flow = looping(orders, LoopItems::charge);
      hapax.register(flow);
      long begin = System.nanoTime();
      long done = hapax.start(flow, items, "loop").await();
      return done * 1e9 / (System.nanoTime() - begin);
    }
  }

  private static long heapAtLastItem(Workspace workspace, int count) {
    List<Order> orders = Stream.generate(OrderFlow::randomOrder).limit(count).toList();
    long before = usedHeap();
    var handled = new AtomicInteger();
    var used = new AtomicLong();
    try (var hapax =
        Hapax.open(Workspace.open(workspace.file("heap-" + count + ".db")), HapaxOptions.DEFAULT)) {
      Flow<Integer, Long> flow =
          looping(
              orders,
              (run, order) -> {
                if (handled.incrementAndGet() == count) {
                  used.set(usedHeap());
                }
                return charge(run, order);
              });
      hapax.register(flow);
      hapax.start(flow, count, "loop").await();
    }
    return used.get() - before;
  }

  /** Returns the heap that is used after a garbage collection. */
  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime machine = Runtime.getRuntime();
    return machine.totalMemory() - machine.freeMemory();
  }

  private static Flow<Integer, Long> looping(List<Order> orders, Flow.Body<Order, Receipt> body) {
    return Flow.of("loop", Integer.class, Long.class)
        .body(
            (run, _) ->
                run.forEach("orders", Each.of(orders, Order::id).atOnce(AT_ONCE), body::run)
                    .succeeded());
  }

  private static Receipt charge(RunContext run, Order order) {
    return run.effect(
        "charge", Effect.create(order.id()).keyed(), _ -> OrderFlow.receipt(order), Receipt.class);
  }
}
