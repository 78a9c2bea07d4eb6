package dev.hapax.engine.tests;

import dev.hapax.Destinations;
import dev.hapax.RunHandle;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Read;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** Calls of runs to one destination, and what arrives there. */
@SuppressWarnings("MemberName") // the names of tests are sentences
abstract class DestinationCallsTest extends EngineTest {
  static final Duration SECOND = Duration.ofSeconds(1);
  final ConcurrentLinkedQueue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
  final AtomicBoolean isDown = new AtomicBoolean();

  record Arrival(String order, Instant at) {}

  /** A flow of one effect to the destination "psp". */
  Flow<Order, Receipt> paying(RunContext.Sender<String> psp) {
    return orders("pay")
        .body(
            (run, order) -> {
              Effect<?> charge = patient(order).retry(retries(10)).to("psp");
              return new Receipt(
                  order.id(),
                  run.effect("charge", charge, key -> call(order, psp, key), String.class));
            });
  }

  /** Time goes by in large steps, also while a call is under way. */
  static Effect<?> patient(Order order) {
    return create(order).keyed(Duration.ofDays(1000)).timeout(Duration.ofDays(100));
  }

  String call(Order order, RunContext.Sender<String> psp, String key) throws Exception {
    arrivals.add(new Arrival(order.id(), time.now()));
    return psp.send(key);
  }

  /** It does not answer while it is down. */
  String answer(String key) {
    if (isDown.get()) {
      throw new IllegalStateException("reset");
    }
    return key;
  }

  void limit(Destination destination) {
    hapax.destinations().register(destination);
  }

  static Destination psp() {
    return Destination.of("psp");
  }

  Destinations.State state() {
    return Objects.requireNonNull(hapax.destinations().states().get("psp"));
  }

  /** Each after the one before it has called or waits in line: they arrive in this order. */
  List<RunHandle<Receipt>> startAll(Flow<Order, Receipt> flow, String... ids) {
    var runs = new ArrayList<RunHandle<Receipt>>();
    int before = arrivals.size() + state().waiting();
    for (String id : ids) {
      runs.add(startMovingTime(flow, order(id)));
      moveUntil(
          Duration.ofMillis(10), () -> arrivals.size() + state().waiting() >= before + runs.size());
    }
    return runs;
  }

  boolean haveAllSucceeded(List<RunHandle<Receipt>> runs) {
    return runs.stream().allMatch(run -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  List<String> arrived() {
    return arrivals.stream().map(Arrival::order).toList();
  }

  /** Opens the breaker by a run whose calls fail, and returns that run. */
  RunHandle<Receipt> trip(Flow<Order, Receipt> flow) {
    isDown.set(true);
    RunHandle<Receipt> first = startMovingTime(flow, order("first"));
    moveUntil(SECOND, () -> state().breaker().equals("open"));
    awaitReleased(first);
    return first;
  }

  /** A flow that only asks the destination "psp". */
  Flow<Order, Receipt> asking(RunContext.Sender<String> psp) {
    return orders("ask")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.read(
                        "balance",
                        Read.retried(retries(10)).to("psp"),
                        () -> call(order, psp, order.id()),
                        String.class)));
  }
}
