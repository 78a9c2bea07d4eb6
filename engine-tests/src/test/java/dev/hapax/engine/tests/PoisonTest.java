package dev.hapax.engine.tests;

import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Run;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** Runs in whose bodies processes are killed. */
abstract class PoisonTest extends EngineTest {
  protected static final Duration SECOND = Duration.ofSeconds(1);

  protected final Semaphore entered = new Semaphore(0);
  protected final Semaphore released = new Semaphore(0);
  protected final AtomicBoolean isHarmless = new AtomicBoolean();
  protected final AtomicBoolean throwsError = new AtomicBoolean();

  @AfterEach
  void let_all_threads_go() {
    released.release(1_000);
  }

  /** The process is killed while its body is in there, until it is harmless. */
  protected Flow<Order, Receipt> deadly() {
    return orders("deadly")
        .body(
            (run, order) -> {
              run.sleep("nap", SECOND);
              return new Receipt(order.id(), work(order));
            });
  }

  protected String work(Order order) {
    if (throwsError.get()) {
      throw new StackOverflowError("made up");
    }
    if (!isHarmless.get()) {
      entered.release();
      released.acquireUninterruptibly();
    }
    return order.id();
  }

  protected Flow<Order, Receipt> sendingDeadly() {
    return orders("deadly")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect(
                        "charge",
                        Effect.create(order.id()).keyed(),
                        _ -> work(order),
                        String.class)));
  }

  /** Kills the process when a run of it is in its body. */
  protected void killInside(Flow<?, ?>... flows) {
    awaitInside();
    kill(flows);
  }

  /** Kills the process; only bodies of the next one count as inside from then on. */
  protected void kill(Flow<?, ?>... flows) {
    process.die();
    entered.drainPermits();
    crash(flows);
  }

  protected void awaitInside() {
    moveUntil(entered::tryAcquire);
  }

  protected RunHandle<Receipt> quarantined(Flow<Order, Receipt> flow) {
    return quarantined(flow, "A-1");
  }

  protected RunHandle<Receipt> quarantined(Flow<Order, Receipt> flow, String key) {
    hapax.register(flow);
    RunHandle<Receipt> run = hapax.start(flow, order(key));
    killInside(flow);
    killInside(flow);
    moveUntil(() -> stored(run).isQuarantined());
    return run;
  }

  protected Run stored(RunHandle<?> run) {
    return hapax.run(run.id());
  }

  protected List<HistoryEntry> told(RunHandle<?> run, String type) {
    return hapax.history(run.id()).stream().filter(entry -> entry.type().equals(type)).toList();
  }

  protected void moveUntil(BooleanSupplier isTrue) {
    eventually(
        () -> {
          if (isTrue.getAsBoolean()) {
            return true;
          }
          time.move(Duration.ofMillis(100));
          return false;
        });
  }

  protected String noted() {
    return hapax.tenant("hapax/engine").kv().list("suspect/", null, 10).toString();
  }
}
