package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.Undo;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import dev.hapax.testkit.memory.MemoryCluster;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Errors in the engine's own hands: no thread dies in silence, no run is left without one. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class EngineErrorTest extends EngineTest {
  private final World world = new World();
  private final RefusableReads reads = new RefusableReads(new MemoryStore());
  private final BlockingQueue<RuntimeException> heard = new LinkedBlockingQueue<>();

  private Hapax openListening() {
    return openListening(reads);
  }

  private Hapax openListening(Store store) {
    return Hapax.open(
        store,
        HapaxOptions.DEFAULT.ports(time.ports()).closeWithin(Duration.ZERO).whenBroken(heard::add));
  }

  /** The next read of this name throws this, once. */
  private void failNext(String name, Throwable how) {
    var isOver = new AtomicBoolean();
    reads.refuse(read -> read.equals(name) && isOver.compareAndSet(false, true), () -> sneak(how));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable how) throws E {
    throw (E) how;
  }

  @Test
  void an_error_on_the_timers_thread_closes_the_engine_and_its_listener_is_called()
      throws Exception {
    try (Hapax engine = openListening()) {
      var flow = sleeping(Duration.ofMinutes(1));
      engine.register(flow);
      RunHandle<Receipt> run = engine.start(flow, order("A"));
      eventually(() -> engine.run(run.id()).owner() == null);
      var awaiting = new LinkedBlockingQueue<RuntimeException>();
      Thread.startVirtualThread(
          () -> {
            try {
              run.await();
            } catch (RuntimeException e) {
              awaiting.add(e);
            }
          });
      failNext("due", new NoClassDefFoundError("made up"));

      moveUntil(Duration.ofMinutes(1), () -> !engine.isWritable());

      assertThat(heard.poll(10, TimeUnit.SECONDS))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("hapax-timer");
      assertThat(awaiting.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreBroken.class);
      assertThatThrownBy(() -> engine.start(flow, order("B"))).isInstanceOf(StoreBroken.class);
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void an_error_of_the_retention_closes_the_engine() throws Exception {
    try (Hapax engine = openListening()) {
      engine.register(sleeping(Duration.ofMinutes(1)));
      failNext("expiring", new OutOfMemoryError("made up"));

      moveUntil(Duration.ofMinutes(1), () -> !engine.isWritable());

      assertThat(heard.poll(10, TimeUnit.SECONDS)).hasMessageContaining("hapax-retention");
    }
  }

  /** A node's connection; the next question of its heartbeat thread can meet an error. */
  private final class FailingHeartbeat extends ForwardingStore {
    private final Store connection = new MemoryCluster(time::now).join();
    private final AtomicReference<@Nullable Error> next = new AtomicReference<>();

    @Override
    protected Store to() {
      return connection;
    }

    @Override
    public List<Failover> failovers() { // after each report, and on no other thread
      Error error = next.getAndSet(null);
      if (error != null) {
        throw error;
      }
      return super.failovers();
    }
  }

  @Test
  void an_error_on_the_heartbeats_thread_closes_the_engine() throws Exception {
    var store = new FailingHeartbeat();
    try (Hapax engine = openListening(store)) {
      var flow = sleeping(Duration.ofMinutes(1));
      engine.register(flow);
      store.next.set(new NoClassDefFoundError("made up"));

      moveUntil(Duration.ofSeconds(1), () -> !engine.isWritable());

      assertThat(heard.poll(10, TimeUnit.SECONDS))
          .isInstanceOf(StoreBroken.class)
          .hasMessageContaining("hapax-heartbeat")
          .hasMessageContaining("made up");
      assertThatThrownBy(() -> engine.start(flow, order("A"))).isInstanceOf(StoreBroken.class);
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void a_store_that_a_callers_read_finds_broken_closes_the_engine() throws Exception {
    try (Hapax engine = openListening()) {
      failNext("holder", new StoreBroken("SQLITE_CORRUPT", null));
      String id = engine.id("none", "A");

      assertThatThrownBy(() -> engine.run(id)).isInstanceOf(StoreBroken.class);

      assertThat(engine.isWritable()).isFalse();
      assertThat(heard.poll(10, TimeUnit.SECONDS)).hasMessageContaining("SQLITE_CORRUPT");
    }
  }

  @Test
  void a_run_whose_taking_up_met_an_error_goes_on() {
    try (Hapax engine = openListening()) {
      var flow = sleeping(Duration.ofMinutes(1));
      engine.register(flow);
      RunHandle<Receipt> run = engine.start(flow, order("A"));
      eventually(() -> engine.run(run.id()).owner() == null);
      failNext("load", new OutOfMemoryError("made up"));

      moveUntil(Duration.ofSeconds(10), () -> engine.run(run.id()).status() == RunStatus.SUCCEEDED);

      assertThat(heard).isEmpty();
    }
  }

  /** Counts what the engine asks about its own runs. */
  private static final class CountingStore extends ForwardingStore {
    private final Store store = new MemoryStore();
    private final AtomicInteger heartbeats = new AtomicInteger();

    @Override
    protected Store to() {
      return store;
    }

    @Override
    protected <T extends @Nullable Object> T call(String method, Supplier<T> call) {
      if (method.equals("heartbeat")) {
        heartbeats.incrementAndGet();
      }
      return call.get();
    }
  }

  @Test
  void the_last_run_is_found_without_a_thread_and_then_the_engine_is_silent() {
    var store = new CountingStore();
    try (Hapax engine = openListening(store)) {
      var hanging = charging("hanging", create(order("H")).keyed(), key -> world.applyAndHang(key));
      var flow = sleeping(Duration.ofMinutes(1));
      engine.register(hanging);
      engine.register(flow);
      RunHandle<Receipt> inMemory = engine.start(hanging, order("H"));
      RunHandle<Receipt> sleeper = engine.start(flow, order("S"));
      long owner = Objects.requireNonNull(engine.run(inMemory.id()).owner());
      eventually(() -> engine.run(sleeper.id()).owner() == null);
      StoredRun stored = Objects.requireNonNull(store.load(engine.run(sleeper.id()).number()));
      store.commit(new Batch(List.of(taking(stored, owner))));

      moveUntil(
          Duration.ofMinutes(1), () -> engine.run(sleeper.id()).status() == RunStatus.SUCCEEDED);

      moveSteps(20, Duration.ofMinutes(1)); // the look after the run that was found
      int before = store.heartbeats.get();
      moveSteps(120, Duration.ofMinutes(1));
      assertThat(store.heartbeats.get()).isEqualTo(before);
    }
  }

  /** The run becomes a process's own, and no thread of it ever hears that. */
  private Group taking(StoredRun stored, long owner) {
    return new Group(
        Long.MAX_VALUE,
        time.now(),
        new Head.Unowned(stored.run().number(), stored.seq()),
        List.of(new Change.Take(owner)),
        null);
  }

  @Test
  void a_run_without_a_thread_is_found_when_another_one_leaves() {
    var hanging =
        register(charging("hanging", create(order("H")).keyed(), key -> world.applyAndHang(key)));
    var flow = register(charging("charge", create(order("A")).keyed(), world::apply));
    RunHandle<Receipt> inMemory = hapax.start(hanging, order("H"));
    RunHandle<Receipt> sleeper = hapax.start(register(sleeping(Duration.ofMinutes(1))), order("S"));
    long owner = Objects.requireNonNull(hapax.run(inMemory.id()).owner());
    StoredRun stored = Objects.requireNonNull(process.load(awaitReleased(sleeper).number()));
    process.commitOf(new Batch(List.of(taking(stored, owner))));
    moveSteps(20, Duration.ofMinutes(1));

    hapax.start(flow, order("A")).await();

    moveUntil(Duration.ofSeconds(1), () -> hapax.run(sleeper.id()).status() == RunStatus.SUCCEEDED);
  }

  private static final class Unspeakable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("it does not say");
    }
  }

  @Test
  void an_exception_that_cannot_say_what_it_is_fails_its_run() {
    Flow<Order, Receipt> flow =
        register(
            orders("unspeakable")
                .body(
                    (_, _) -> {
                      throw new Unspeakable();
                    }));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThat(awaitStatus(run, RunStatus.FAILED).error())
        .isNotNull()
        .satisfies(error -> assertThat(error.message()).contains("Unspeakable"));
  }

  @Test
  void a_step_and_a_sender_with_an_unreadable_exception_fail_like_others() {
    Flow<Order, Receipt> flow =
        register(
            orders("unspeakable-step")
                .body(
                    (run, order) ->
                        run.step(
                            "say",
                            () -> {
                              throw new Unspeakable();
                            },
                            Receipt.class)));
    Flow<Order, Receipt> sending =
        register(
            charging(
                "unspeakable-effect",
                create(order("A")).unguarded(),
                _ -> {
                  throw new Unspeakable();
                }));

    awaitStatus(hapax.start(flow, order("A")), RunStatus.FAILED);
    RunHandle<Receipt> doubtful = hapax.start(sending, order("A"));

    eventually(() -> hapax.run(doubtful.id()).status() == RunStatus.REVIEW);
  }

  @Test
  void a_class_that_is_missing_in_an_undo_is_reported_and_the_run_can_be_retried() {
    var isMissing = new AtomicBoolean(true);
    var undone = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            orders("saga")
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      run.effect(
                          "book",
                          Effect.create(order.id())
                              .keyed()
                              .compensate(
                                  String.class,
                                  _ -> {
                                    if (isMissing.get()) {
                                      throw new NoClassDefFoundError("com/example/Hotel");
                                    }
                                    return Undo.keyed(_ -> undone.incrementAndGet());
                                  }),
                          world::apply,
                          String.class);
                      throw new IllegalStateException("no room");
                    }));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).message()).contains("com/example/Hotel");
    isMissing.set(false);
    hapax.retry(run.id(), "ada");
    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(undone).hasValue(1);
  }

  @Test
  void bodies_that_swallow_their_unwinding_do_not_keep_others_from_a_thread() {
    var swallowed = new AtomicInteger();
    Flow<Order, Receipt> stubborn =
        register(
            orders("stubborn")
                .body(
                    (run, order) -> {
                      while (true) {
                        try {
                          run.sleep("pause", Duration.ofDays(1));
                          return new Receipt(order.id(), "awake");
                        } catch (Throwable e) {
                          swallowed.incrementAndGet();
                        }
                      }
                    }));
    int cores = Runtime.getRuntime().availableProcessors();
    List<RunHandle<Receipt>> runs =
        IntStream.range(0, 2 * cores)
            .mapToObj(i -> hapax.start(stubborn, order("S-" + i)))
            .toList();
    runs.forEach(this::awaitReleased);

    var flow = register(charging("charge", create(order("A")).keyed(), world::apply));
    assertThat(hapax.start(flow, order("A")).await().order()).isEqualTo("A");

    assertThat(swallowed.get()).isLessThanOrEqualTo(4 * 2 * cores);
    moveUntil(
        Duration.ofDays(1),
        () -> runs.stream().allMatch(run -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED));
  }

  @Test
  void a_stubborn_branch_does_not_keep_its_run_in_memory() {
    Flow<Order, Receipt> stubborn =
        register(
            orders("stubborn-branch")
                .body(
                    (run, order) -> {
                      run.parallel(
                          List.of(
                              branch -> {
                                while (true) {
                                  try {
                                    branch.sleep("pause", Duration.ofDays(1));
                                    return "";
                                  } catch (Throwable e) {
                                    Thread.onSpinWait();
                                  }
                                }
                              }));
                      return new Receipt(order.id(), "awake");
                    }));

    RunHandle<Receipt> run = hapax.start(stubborn, order("A"));

    awaitReleased(run);
    moveUntil(Duration.ofDays(1), () -> hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_stubborn_body_that_is_to_fail_fails() {
    Flow<Order, Receipt> stubborn =
        register(
            orders("stubborn-twice")
                .body(
                    (run, _) -> {
                      run.step("same", () -> "a", String.class);
                      while (true) {
                        try {
                          run.step("same", () -> "b", String.class);
                        } catch (Throwable e) {
                          Thread.onSpinWait();
                        }
                      }
                    }));

    RunHandle<Receipt> run = hapax.start(stubborn, order("A"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("duplicate-step");
  }
}
