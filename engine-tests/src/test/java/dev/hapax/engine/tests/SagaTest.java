package dev.hapax.engine.tests;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.OnFailure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * What the tests of compensation share: a trip is booked, and a log says what happened in the
 * world.
 */
abstract class SagaTest extends EngineTest {
  protected final List<String> world = new CopyOnWriteArrayList<>();
  protected final Map<String, Supplier<RuntimeException>> trouble = new ConcurrentHashMap<>();

  /** Books something; says in the world what it did. */
  protected String send(String what) {
    var problem = trouble.get(what);
    if (problem != null) {
      throw problem.get();
    }
    world.add(what);
    return what + "-1";
  }

  protected static Effect<Void> booking(Order order, Undo undo) {
    return create(order).keyed().compensate(undo);
  }

  protected Undo undo(String what) {
    return Undo.keyed(_ -> send("undo-" + what));
  }

  protected Flow.Builder<Order, Receipt> trips() {
    return orders("trip").onFailure(OnFailure.COMPENSATE);
  }

  /** Books flight, hotel and car, and fails at the end. */
  protected Flow<Order, Receipt> failingTrip() {
    return trips()
        .body(
            (run, order) -> {
              run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
              run.effect("hotel", booking(order, undo("hotel")), _ -> send("hotel"));
              run.effect("car", booking(order, undo("car")), _ -> send("car"));
              throw new IllegalStateException("no money");
            });
  }

  /** Books a flight and waits for a day. */
  protected Flow<Order, Receipt> pausing(Flow.Builder<Order, Receipt> trips) {
    return trips.body(
        (run, order) -> {
          run.effect("flight", booking(order, undo("flight")), _ -> send("flight"));
          run.sleep("pause", Duration.ofDays(1));
          return new Receipt(order.id(), "");
        });
  }

  protected RunHandle<Receipt> compensated(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.COMPENSATED);
    return run;
  }

  protected EffectRecord effect(String name) {
    return hapax.effects(hapax.effects()).stream()
        .filter(row -> row.key().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  protected EffectState state(String name) {
    return effect(name).state();
  }
}
