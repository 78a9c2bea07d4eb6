package dev.hapax.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunCanceled;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.engine.RunControl;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.NotApplied;
import dev.hapax.history.HistoryEntry;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectState;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.schedule.CatchUp;
import dev.hapax.schedule.NextInstants;
import dev.hapax.schedule.Schedule;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.Failover;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several engines over one store: each run is with one of them, and none is lost with it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class NodesTest extends EngineTest {
  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** The database's clock, which moves apart from that of the nodes. */
  private final AtomicReference<Instant> database = new AtomicReference<>(Instant.EPOCH);

  private final MemoryCluster cluster = new MemoryCluster(database::get);
  private final Node one = new Node(HapaxOptions.DEFAULT);
  private final Node two = new Node(HapaxOptions.DEFAULT);

  /** A process: its connection can be cut, and then nothing of it reaches the store. */
  private final class Node extends ForwardingStore {
    private final Store connection = cluster.join();
    private final AtomicInteger heartbeats = new AtomicInteger();
    private volatile boolean isCut;
    private volatile Consumer<Change> beforeCommit = _ -> {};
    private final Hapax hapax;

    Node(HapaxOptions options) {
      this.hapax =
          Hapax.open(this, options.ports(time.ports()).lease(LEASE).closeWithin(Duration.ZERO));
    }

    @Override
    protected Store to() {
      if (isCut) {
        throw new UnknownCommit("the connection is cut", new Exception());
      }
      return connection;
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      batch.groups().forEach(group -> group.changes().forEach(beforeCommit));
      return to().commit(batch);
    }

    @Override
    public List<Failover> failovers() {
      return connection.failovers(); // what it knows it knows without its connection
    }

    @Override
    public HeartbeatReply heartbeat(NodeReport report) {
      HeartbeatReply heard = to().heartbeat(report);
      heartbeats.incrementAndGet();
      return heard;
    }

    @Override
    public void close() {
      connection.close();
    }

    void attendOnce() {
      int before = heartbeats.get();
      moveUntil(SECOND, () -> heartbeats.get() > before);
    }
  }

  @AfterEach
  void closeNodes() {
    one.isCut = false;
    two.isCut = false;
    one.hapax.close();
    two.hapax.close();
  }

  private void registerAtBoth(Flow<?, ?> flow) {
    one.hapax.register(flow);
    two.hapax.register(flow);
  }

  /** Its body blocks, so that it is durable only after a moment. */
  private RunHandle<Receipt> start(Node node, Flow<Order, Receipt> flow) {
    var started = CompletableFuture.supplyAsync(() -> node.hapax.start(flow, order("A-1")));
    moveUntil(Duration.ofMillis(10), started::isDone);
    return started.join();
  }

  /** What the run has come to, while time goes on. */
  private CompletableFuture<Receipt> endOf(RunHandle<Receipt> run) {
    CompletableFuture<Receipt> end = CompletableFuture.supplyAsync(run::await);
    moveUntil(Duration.ofMillis(100), end::isDone);
    return end;
  }

  /** Time passes for the database, and only this node attends. */
  private void onlyAttends(Node node) {
    for (int i = 0; i < 12; i++) {
      database.updateAndGet(now -> now.plus(LEASE.dividedBy(4)));
      node.attendOnce();
    }
  }

  private static Flow<Order, Receipt> blocking(CountDownLatch entered, CountDownLatch released) {
    return orders("blocking")
        .body(
            (run, order) -> {
              entered.countDown();
              released.await();
              return new Receipt(order.id(), "done");
            });
  }

  @Test
  void a_run_of_a_node_that_is_cut_off_goes_on_at_another_and_is_sent_once() throws Exception {
    var sent = new AtomicInteger();
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        orders("cut")
            .body(
                (run, order) -> {
                  run.step(
                      "think",
                      () -> {
                        if (entered.getCount() > 0) {
                          entered.countDown();
                          released.await();
                        }
                        return "thought";
                      },
                      String.class);
                  String key =
                      run.effect(
                          "charge",
                          Effect.create(order.id()).unguarded(),
                          _ -> "charge-" + sent.incrementAndGet(),
                          String.class);
                  return new Receipt(order.id(), key);
                });
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();

    one.isCut = true;
    onlyAttends(two);
    eventually(() -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    one.isCut = false;
    released.countDown();

    assertThat(endOf(run))
        .failsWithin(SECOND)
        .withThrowableThat()
        .withCauseInstanceOf(StoreBroken.class);
    assertThat(sent).hasValue(1);
    assertThatThrownBy(() -> one.hapax.start(flow, order("A-2"))).isInstanceOf(StoreBroken.class);
  }

  @Test
  void a_node_that_is_closed_keeps_its_lease_until_what_it_has_sent_has_returned()
      throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    var sent = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging(
            "closing",
            Effect.create("A").lookup(_ -> Optional.empty(), SECOND).timeout(Duration.ofSeconds(5)),
            _ -> {
              if (sent.incrementAndGet() == 1) {
                entered.countDown();
                awaitUninterruptibly(released);
              }
              return "sent";
            });
    registerAtBoth(flow);
    RunHandle<Receipt> run = one.hapax.start(flow, order("A-1"));
    String id = run.id();
    entered.await();

    one.hapax.close();
    for (int i = 0; i < 12; i++) {
      database.updateAndGet(now -> now.plus(LEASE.dividedBy(4)));
      two.attendOnce();
      one.attendOnce(); // it still does
    }
    int before = sent.get();
    released.countDown();
    moveUntil(SECOND, () -> two.hapax.run(id).status() == RunStatus.SUCCEEDED);

    assertThat(before).isEqualTo(1);
    assertThat(two.hapax.history(id)).anyMatch(line -> line.type().equals("doubt"));
  }

  /** One branch is in review; the other keeps the run in memory, until it is released. */
  private static Flow<Order, Receipt> branches(
      Duration pause, CountDownLatch entered, CountDownLatch released) {
    return orders("branches")
        .body(
            (run, order) -> {
              for (String note : List.of("first", "second", "third")) {
                run.effect(note, Effect.notify(note).unguarded(), _ -> note, String.class);
              }
              List<String> said =
                  run.parallel(
                      List.of(
                          one ->
                              one.effect(
                                  "mail",
                                  Effect.notify(order.id()).unguarded(),
                                  _ -> {
                                    throw new IOException("reset");
                                  },
                                  String.class),
                          two -> {
                            two.sleep("pause", pause);
                            entered.countDown();
                            awaitUninterruptibly(released);
                            return "two";
                          }));
              return new Receipt(order.id(), said.getFirst());
            });
  }

  private EffectRecord inReview() {
    eventually(() -> !two.hapax.effects(two.hapax.effects().state(EffectState.REVIEW)).isEmpty());
    return two.hapax.effects(two.hapax.effects().state(EffectState.REVIEW)).getFirst();
  }

  // After a pause the node has read the review, and later reads only what was added to the journal.
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void a_review_is_settled_while_another_branch_keeps_the_run_in_the_memory_of_another_node(
      int pause) {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow = branches(Duration.ofSeconds(pause), entered, released);
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    moveUntil(Duration.ofMillis(10), () -> entered.getCount() == 0);
    EffectRecord seen = inReview();

    two.hapax.settle(seen.id(), Settlement.happened("by hand", "seen", "ada").seen(seen));

    assertThat(two.hapax.effect(seen.id()).state()).isEqualTo(EffectState.DONE);
    assertThat(two.hapax.run(run.id()).owner()).isNotNull();
    assertThatThrownBy(
            () -> one.hapax.settle(seen.id(), Settlement.abandon("no", "bob").seen(seen)))
        .isInstanceOf(RunControl.Stale.class);
    released.countDown();
    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(two.hapax.history(run.id()))
        .filteredOn(line -> line.type().equals("settled"))
        .singleElement()
        .satisfies(line -> assertThat(line.decision()).isEqualTo("happened by ada"));
    assertThat(two.hapax.run(run.id()).output()).contains("by hand");
  }

  @Test
  void a_decision_is_heard_that_lands_just_before_a_canceled_run_is_taken_up() throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    var deciding = new CountDownLatch(1);
    var taking = new CountDownLatch(1);
    var decided = new CountDownLatch(1);
    Flow<Order, Receipt> flow = branches(Duration.ZERO, entered, released);
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    moveUntil(Duration.ofMillis(10), () -> entered.getCount() == 0);
    EffectRecord seen = inReview();
    two.beforeCommit =
        change -> {
          if (change instanceof Change.Decide) {
            deciding.countDown();
            awaitUninterruptibly(taking);
          }
        };
    one.beforeCommit =
        change -> {
          if (change instanceof Change.Take) {
            taking.countDown();
            awaitUninterruptibly(decided);
          }
        };

    var settled =
        CompletableFuture.runAsync(
            () -> {
              two.hapax.settle(seen.id(), Settlement.abandon("gone", "ada").seen(seen));
              decided.countDown();
            });
    deciding.await(); // the run is in memory still
    released.countDown();
    eventually(() -> one.hapax.run(run.id()).status() == RunStatus.REVIEW);
    one.hapax.cancel(run.id(), "bob", "no longer wanted");
    settled.join();

    moveUntil(SECOND, () -> one.hapax.run(run.id()).status() == RunStatus.CANCELED);
    assertThat(one.hapax.history(run.id()))
        .filteredOn(line -> line.type().equals("settled"))
        .singleElement()
        .satisfies(line -> assertThat(line.decision()).isEqualTo("abandon by ada"));
  }

  @Test
  void what_was_intended_is_not_sent_by_a_node_whose_lease_has_ended() throws Exception {
    var before = new CountDownLatch(1);
    var paused = new CountDownLatch(1);
    var sentBy = new AtomicReference<>("");
    Interceptor pause =
        (sending, sender) -> {
          before.countDown();
          paused.await();
          return sender.send();
        };
    var three = new Node(HapaxOptions.DEFAULT.interceptor(pause));
    Flow<Order, Receipt> flow = charged(sentBy, "three");
    three.hapax.register(flow);
    two.hapax.register(charged(sentBy, "two"));
    RunHandle<Receipt> run = three.hapax.start(flow, order("A-1"));
    String id = run.id();
    before.await();

    three.isCut = true;
    onlyAttends(two);
    eventually(() -> two.hapax.run(id).status() == RunStatus.SUCCEEDED);
    assertThat(sentBy).hasValue(",two");
    paused.countDown();
    three.isCut = false;

    assertThat(endOf(run))
        .failsWithin(SECOND)
        .withThrowableThat()
        .withCauseInstanceOf(StoreBroken.class);
    assertThat(sentBy).hasValue(",two");
    three.hapax.close();
  }

  private static Flow<Order, Receipt> charged(AtomicReference<String> sentBy, String name) {
    return orders("charged")
        .body(
            (run, order) -> {
              run.effect(
                  "charge",
                  create(order).keyed(),
                  _ -> sentBy.accumulateAndGet(name, (all, me) -> all + "," + me),
                  String.class);
              return new Receipt(order.id(), "");
            });
  }

  @Test
  void a_lease_that_was_not_renewed_in_time_holds_back_what_is_sent_until_it_is() throws Exception {
    var sent = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging("late", Effect.create("A-1").keyed(), _ -> "charge-" + sent.incrementAndGet());
    registerAtBoth(flow);
    two.isCut = true; // it will not heartbeat
    time.jumpTo(time.now().plus(LEASE)); // as after a suspension: the monotonic clock stood still

    RunHandle<Receipt> run = one.hapax.start(flow, order("A-1"));

    assertThat(run.await().key()).isEqualTo("charge-1");
    assertThat(one.heartbeats.get()).isGreaterThan(1);
  }

  @Test
  void an_attempt_that_was_given_up_before_it_was_sent_is_not_sent_later() throws Exception {
    var sent = new AtomicInteger();
    var attempts = new AtomicInteger();
    var held = new CompletableFuture<Void>();
    var first = new CompletableFuture<String>();
    Interceptor holdsTheFirst =
        (sending, sender) -> {
          if (attempts.incrementAndGet() > 1) {
            return sender.send();
          }
          held.join();
          try {
            first.complete(sender.send());
            return first.join();
          } catch (NotApplied e) {
            first.completeExceptionally(e);
            throw e;
          }
        };
    var three = new Node(HapaxOptions.DEFAULT.interceptor(holdsTheFirst));
    Flow<Order, Receipt> flow =
        charging("held", Effect.create("A-1").unguarded(), _ -> "charge-" + sent.incrementAndGet());
    three.hapax.register(flow);

    String id = three.hapax.start(flow, order("A-1")).id();
    moveUntil(SECOND, () -> three.hapax.run(id).status() == RunStatus.SUCCEEDED);
    held.complete(null);

    assertThat(first)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .withCauseInstanceOf(NotApplied.class);
    assertThat(sent).hasValue(1);
    three.hapax.close();
  }

  @Test
  void a_cancel_reaches_a_run_in_the_memory_of_another_node() throws Exception {
    var entered = new CountDownLatch(1);
    Flow<Order, Receipt> flow = blocking(entered, new CountDownLatch(1));
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();

    two.hapax.cancel(run.id(), "ann", "not wanted");

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.CANCELED);
    assertThat(endOf(run))
        .failsWithin(SECOND)
        .withThrowableThat()
        .withCauseInstanceOf(RunCanceled.class);
  }

  @Test
  void whoever_awaits_hears_the_end_of_a_run_in_the_memory_of_another_node() throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow = blocking(entered, released);
    registerAtBoth(flow);
    start(one, flow);
    entered.await();

    RunHandle<Receipt> again = two.hapax.start(flow, order("A-1"));
    released.countDown();

    assertThat(again.isDuplicate()).isTrue();
    assertThat(endOf(again).join().key()).isEqualTo("done");
  }

  @Test
  void what_is_due_at_a_full_node_goes_to_one_with_room() throws Exception {
    var full = new Node(HapaxOptions.DEFAULT.mostInMemory(1));
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> block = blocking(entered, released);
    Flow<Order, Receipt> flow = sleeping(Duration.ZERO);
    full.hapax.register(block);
    full.hapax.register(flow);
    two.hapax.register(flow);
    start(full, block);
    entered.await();

    RunHandle<Receipt> run = full.hapax.start(flow, order("A-2"));

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    released.countDown();
    full.hapax.close();
  }

  @Test
  void a_run_that_sleeps_is_woken_by_another_node_when_its_own_is_gone() {
    Flow<Order, Receipt> flow = sleeping(Duration.ofMinutes(10));
    registerAtBoth(flow);
    RunHandle<Receipt> run = one.hapax.start(flow, order("A-1"));
    eventually(() -> two.hapax.run(run.id()).status() == RunStatus.WAITING);

    one.hapax.close();

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
  }

  @Test
  void a_run_without_code_here_is_left_to_the_node_that_has_it() throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow = blocking(entered, released);
    one.hapax.register(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();
    one.isCut = true;
    onlyAttends(two); // it has no code for it
    eventually(() -> two.hapax.run(run.id()).owner() == null);

    var three = new Node(HapaxOptions.DEFAULT);
    released.countDown();
    three.hapax.register(flow);

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    three.hapax.close();
  }

  @Test
  void a_run_whose_code_no_node_has_says_so_once() throws Exception {
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow = blocking(entered, released);
    one.hapax.register(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();
    assertThat(two.hapax.isCodeMissing(two.hapax.run(run.id()))).isFalse();
    one.isCut = true;
    onlyAttends(two);
    eventually(() -> two.hapax.run(run.id()).owner() == null);
    var three = new Node(HapaxOptions.DEFAULT);

    moveUntil(SECOND, () -> timesMissing(run) == 1);
    moveSteps(200, SECOND); // both look again, more than once

    assertThat(timesMissing(run)).isOne();
    assertThat(two.hapax.isCodeMissing(two.hapax.run(run.id()))).isTrue();
    assertThat(three.hapax.isCodeMissing(three.hapax.run(run.id()))).isTrue();
    released.countDown();
    three.hapax.register(flow);
    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(two.hapax.isCodeMissing(two.hapax.run(run.id()))).isFalse();
    three.hapax.close();
  }

  private int timesMissing(RunHandle<?> run) {
    return Collections.frequency(
        two.hapax.history(run.id()).stream().map(HistoryEntry::type).toList(), "code-missing");
  }

  @Test
  void a_schedule_at_several_nodes_starts_each_instant_once() {
    Flow<String, String> report =
        Flow.of("report", String.class, String.class).body((run, input) -> input);
    registerAtBoth(report);
    Schedule<String> hourly =
        Schedule.named("hourly")
            .flow(report)
            .input(Instant::toString)
            .at(NextInstants.every(Duration.ofHours(1), Instant.EPOCH))
            .catchUp(CatchUp.ALL);
    one.hapax.schedules().add(hourly);
    two.hapax.schedules().add(hourly);

    moveUntil(Duration.ofMinutes(1), () -> started(report).size() == 3);

    assertThat(started(report)).doesNotHaveDuplicates();
  }

  private List<String> started(Flow<?, ?> flow) {
    return two.hapax.runs(two.hapax.runs()).stream()
        .filter(run -> run.flow().equals(flow.name()))
        .map(Run::key)
        .toList();
  }

  @Test
  void a_schedule_that_another_node_resumed_goes_on_when_that_one_is_gone() {
    Flow<String, String> report =
        Flow.of("report", String.class, String.class).body((run, input) -> input);
    registerAtBoth(report);
    Schedule<String> hourly =
        Schedule.named("hourly")
            .flow(report)
            .input(Instant::toString)
            .at(NextInstants.every(Duration.ofHours(1), Instant.EPOCH))
            .catchUp(CatchUp.ALL);
    one.hapax.schedules().add(hourly);
    two.hapax.schedules().add(hourly);
    one.hapax.schedules().pause("hourly");
    moveSteps(65, Duration.ofMinutes(1)); // the other one finds it paused
    one.hapax.schedules().resume("hourly");
    one.hapax.close();

    moveUntil(Duration.ofMinutes(1), () -> started(report).size() >= 2);
  }

  @Test
  void two_nodes_send_no_more_together_than_the_rate_of_a_destination() {
    List<Instant> sentAt = new CopyOnWriteArrayList<>();
    Flow<Order, Receipt> flow =
        orders("rated")
            .body(
                (run, order) -> {
                  run.effect(
                      "pay",
                      create(order).keyed().to("psp"),
                      key -> {
                        sentAt.add(time.now());
                        return key;
                      },
                      String.class);
                  return new Receipt(order.id(), "paid");
                });
    registerAtBoth(flow);
    Destination psp = Destination.of("psp").rate(1, SECOND);
    one.hapax.destinations().register(psp);
    two.hapax.destinations().register(psp);
    one.attendOnce(); // it hears that there are two

    one.hapax.start(flow, order("A-0")).await(); // its turn is there
    List<String> runs = new ArrayList<>();
    for (int i = 1; i < 12; i++) {
      Hapax at = (i % 2 == 0 ? one : two).hapax;
      Order order = order("A-" + i);
      var started = CompletableFuture.supplyAsync(() -> at.start(flow, order).id());
      moveUntil(Duration.ofMillis(10), started::isDone);
      runs.add(started.join());
    }
    moveUntil(
        Duration.ofMillis(100),
        () -> runs.stream().allMatch(id -> one.hapax.run(id).status() == RunStatus.SUCCEEDED));

    List<Instant> inOrder = sentAt.stream().sorted().toList();
    assertThat(inOrder).hasSize(12);
    // Each has every second turn, and one of them has sent six or more.
    assertThat(Duration.between(inOrder.getFirst(), inOrder.getLast()))
        .isGreaterThanOrEqualTo(SECOND.multipliedBy(10));
  }

  @Test
  void many_starts_of_a_key_at_two_nodes_are_one_run_and_one_effect() throws Exception {
    var sent = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging("race", Effect.create("A-1").keyed(), _ -> "charge-" + sent.incrementAndGet());
    registerAtBoth(flow);
    try (ExecutorService callers = Executors.newFixedThreadPool(16)) {
      List<Future<String>> ids =
          IntStream.range(0, 64)
              .mapToObj(
                  i ->
                      callers.submit(
                          () -> (i % 2 == 0 ? one : two).hapax.start(flow, order("A-1")).id()))
              .toList();
      String first = ids.getFirst().get();
      for (Future<String> id : ids) {
        assertThat(id.get()).isEqualTo(first);
      }
      eventually(() -> two.hapax.run(first).status() == RunStatus.SUCCEEDED);
    }
    assertThat(sent).hasValue(1);
  }
}
