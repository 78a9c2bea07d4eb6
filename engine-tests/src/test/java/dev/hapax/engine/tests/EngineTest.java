package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RetryPolicy;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Store;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.memory.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What the tests of the engine share. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class EngineTest {
  private static final int LOOKS_AT_BUSY_THREADS = 400; // a tenth of a second

  protected final ManualTime time = new ManualTime();
  private final Store store = new MemoryStore();
  protected MortalStore process = new MortalStore(store);
  protected Hapax hapax = open();

  record Order(String id, int total) {}

  record Receipt(String order, String key) {}

  private Hapax open() {
    return open(Duration.ZERO);
  }

  private Hapax open(Duration closeWithin) {
    return Hapax.open(process, HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(closeWithin));
  }

  /** An engine that waits at its closing for its runs to come to their next step. */
  protected void openPatiently() {
    hapax.close();
    hapax = open(Duration.ofDays(1));
  }

  @AfterEach
  void close() {
    hapax.close();
  }

  /** The engine was closed in good order, and another process opens the store. */
  protected void reopen(Flow<?, ?>... flows) {
    hapax = open();
    for (Flow<?, ?> flow : flows) {
      hapax.register(flow);
    }
  }

  /** The store as another process sees it, after the one before has died. */
  protected MortalStore revived() {
    process = new MortalStore(store);
    return process;
  }

  /** The process dies and another one opens the same store with the same code. */
  protected void crash(Flow<?, ?>... flows) {
    process.die();
    revived();
    reopen(flows);
  }

  protected <I, O> Flow<I, O> register(Flow<I, O> flow) {
    hapax.register(flow);
    return flow;
  }

  protected static Flow.Builder<Order, Receipt> orders(String name) {
    return Flow.of(name, Order.class, Receipt.class).key(Order::id);
  }

  protected static Order order(String id) {
    return new Order(id, 40);
  }

  protected static Effect.Draft<Void> create(Order order) {
    return Effect.create(order.id());
  }

  /** A flow of one effect, the step "charge", whose answer is the receipt's key. */
  protected static Flow<Order, Receipt> charging(
      String name, Effect<?> effect, RunContext.Sender<String> sender) {
    return orders(name)
        .body(
            (run, order) ->
                new Receipt(order.id(), run.effect("charge", effect, sender, String.class)));
  }

  /** As above, with an effect for each order. */
  protected static Flow<Order, Receipt> charging(
      String name, Function<Order, Effect<?>> effect, RunContext.Sender<String> sender) {
    return orders(name)
        .body(
            (run, order) ->
                new Receipt(
                    order.id(), run.effect("charge", effect.apply(order), sender, String.class)));
  }

  /** A flow whose mail is always in doubt, which a person has to settle. */
  protected static Flow<Order, Receipt> mailer(Duration timeout) {
    return orders("mailer")
        .timeout(timeout)
        .body(
            (run, order) -> {
              run.effect(
                  "mail",
                  Effect.notify(order.id()).unguarded(),
                  _ -> {
                    throw new IOException("reset");
                  });
              return new Receipt(order.id(), "");
            });
  }

  /** A flow that waits this long and has nothing else to do. */
  protected static Flow<Order, Receipt> sleeping(Duration time) {
    return orders("sleeper")
        .body(
            (run, order) -> {
              run.sleep("pause", time);
              return new Receipt(order.id(), "awake");
            });
  }

  protected static RetryPolicy retries(int attempts) {
    return RetryPolicy.DEFAULT.attempts(attempts);
  }

  /**
   * Awaits what other threads bring about; a bounded look, no sleep. A timer that had read the
   * clock but not begun its pause sleeps through a move, up to its longest pause of 5 seconds: so
   * after 3 seconds in vain time goes on, by a second in each.
   */
  protected void eventually(BooleanSupplier holds) {
    long begin = System.nanoTime();
    long moved = Duration.ofSeconds(3).toNanos();
    while (!holds.getAsBoolean()) {
      long looked = System.nanoTime() - begin;
      assertThat(looked).as("time ran out").isLessThan(Duration.ofSeconds(60).toNanos());
      if (looked > moved) {
        moved += Duration.ofSeconds(1).toNanos();
        time.move(Duration.ofSeconds(1));
      }
      LockSupport.parkNanos(200_000); // leaves the processor to those who bring it about
    }
  }

  /**
   * Moves time by this much and awaits what comes of it. Time goes on slowly, by a second after
   * each while of looking in vain, because a timer may sleep through the move.
   */
  protected void moveAndAwait(Duration by, BooleanSupplier holds) {
    var looks = new AtomicInteger();
    time.move(by);
    eventually(
        () -> {
          if (looks.incrementAndGet() % 50 == 0) {
            time.move(Duration.ofSeconds(1));
          }
          return holds.getAsBoolean();
        });
  }

  /** Moves time by this much and awaits that the run, which waits, has gone on. */
  protected void moveAndWake(Duration by, RunHandle<?> run) {
    int before = types(run).size();
    moveAndAwait(by, () -> types(run).size() > before);
  }

  /**
   * Moves time in steps until it holds. Each step waits until the engine's threads are idle,
   * because a step of a day would let an attempt under way run into its timeout. A thread that is
   * blocked outside, such as a sender that hangs, is never idle: it holds time up for some looks
   * only.
   */
  protected void moveUntil(Duration step, BooleanSupplier holds) {
    var looks = new AtomicInteger();
    eventually(
        () -> {
          int look = looks.getAndIncrement();
          boolean isIdle = look % 10 == 0 && time.isIdle();
          if (isIdle || look % LOOKS_AT_BUSY_THREADS == LOOKS_AT_BUSY_THREADS - 1) {
            time.move(step);
          }
          return holds.getAsBoolean();
        });
  }

  /** The same, before this much time has passed: what comes later comes for another reason. */
  protected void moveUntil(Duration step, Duration within, BooleanSupplier holds) {
    long end = time.nanos() + within.toNanos();
    moveUntil(
        step,
        () -> {
          assertThat(time.nanos()).as("nothing within " + within).isLessThan(end);
          return holds.getAsBoolean();
        });
  }

  /**
   * Moves time by a number of steps and leaves the processor to others at each: what must not
   * happen has its chance here.
   */
  protected void moveSteps(int steps, Duration step) {
    for (int i = 0; i < steps; i++) {
      time.move(step);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** For a start that is not durable at once; time goes on while it waits. */
  protected RunHandle<Receipt> startMovingTime(Flow<Order, Receipt> flow, Order order) {
    var started = new AtomicReference<RunHandle<Receipt>>();
    Thread starter = Thread.startVirtualThread(() -> started.set(hapax.start(flow, order)));
    moveUntil(Duration.ofMillis(10), Duration.ofMinutes(2), () -> !starter.isAlive());
    return started.get();
  }

  /** Waits as code does that does not listen. */
  protected static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException e) {
        // it does not listen
      }
    }
  }

  protected boolean isInDoubt() {
    return !hapax.effects(hapax.effects().state(EffectState.DOUBT)).isEmpty();
  }

  /** By the engine that lives now; the handle may be from before a crash. */
  protected Run awaitStatus(RunHandle<?> run, RunStatus status) {
    eventually(() -> hapax.run(run.id()).status() == status);
    return hapax.run(run.id());
  }

  /** The run fails with this code; returns the failure, for more that must hold of it. */
  protected static AbstractThrowableAssert<?, ?> assertFails(RunHandle<?> run, String code) {
    return assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class, failed -> assertThat(failed.code()).isEqualTo(code));
  }

  /** Why the run failed. */
  protected Failure errorOf(RunHandle<?> run) {
    return error(run.id());
  }

  /** Waits until the run has left memory, no matter what it waits for. */
  protected Run awaitReleased(RunHandle<?> run) {
    eventually(() -> hapax.run(run.id()).owner() == null);
    return hapax.run(run.id());
  }

  protected EffectRecord effect(EffectState state) {
    List<EffectRecord> found = hapax.effects(hapax.effects().state(state));
    assertThat(found).as("effects that are " + state.word()).hasSize(1);
    return found.getFirst();
  }

  /** Why the run failed. */
  protected Failure error(String run) {
    return Objects.requireNonNull(hapax.run(run).error(), "it has no error");
  }

  /** Who wants the run to end, and why. */
  protected Run.Cancel cancel(String run) {
    return Objects.requireNonNull(hapax.run(run).cancel(), "it is not to be canceled");
  }

  protected List<String> types(RunHandle<?> run) {
    return hapax.history(run.id()).stream().map(HistoryEntry::type).toList();
  }

  protected HistoryEntry entry(RunHandle<?> run, String type) {
    return hapax.history(run.id()).stream()
        .filter(line -> line.type().equals(type))
        .findFirst()
        .orElseThrow();
  }
}
