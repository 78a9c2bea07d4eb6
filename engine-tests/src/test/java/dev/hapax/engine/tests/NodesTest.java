package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.CatchUp;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.NextInstants;
import dev.hapax.RunCanceled;
import dev.hapax.RunHandle;
import dev.hapax.Schedule;
import dev.hapax.flow.Destination;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several engines over one store: each run is with one of them, and none is lost with it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class NodesTest extends TwoNodesTest {
  private static Flow<Order, Receipt> blocking(CountDownLatch entered, Signal released) {
    return orders("blocking")
        .body(
            (run, order) -> {
              entered.countDown();
              released.awaitInterruptibly(null);
              return new Receipt(order.id(), "done");
            });
  }

  @Test
  void a_cancel_reaches_a_run_in_the_memory_of_another_node() throws Exception {
    var entered = new CountDownLatch(1);
    Flow<Order, Receipt> flow = blocking(entered, time.signal());
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
  void a_caller_that_awaits_learns_the_end_of_a_run_in_the_memory_of_another_node()
      throws Exception {
    var entered = new CountDownLatch(1);
    Signal released = time.signal();
    Flow<Order, Receipt> flow = blocking(entered, released);
    registerAtBoth(flow);
    start(one, flow);
    entered.await();

    RunHandle<Receipt> again = two.hapax.start(flow, order("A-1"));
    released.raise();

    assertThat(again.isDuplicate()).isTrue();
    assertThat(endOf(again).join().key()).isEqualTo("done");
  }

  @Test
  void what_is_due_at_a_full_node_goes_to_one_with_room() throws Exception {
    var full = new Node(HapaxOptions.DEFAULT.mostInMemory(1));
    var entered = new CountDownLatch(1);
    Signal released = time.signal();
    Flow<Order, Receipt> block = blocking(entered, released);
    Flow<Order, Receipt> flow = sleeping(Duration.ZERO);
    full.hapax.register(block);
    full.hapax.register(flow);
    two.hapax.register(flow);
    start(full, block);
    entered.await();

    RunHandle<Receipt> run = full.hapax.start(flow, order("A-2"));

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    released.raise();
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
    Signal released = time.signal();
    Flow<Order, Receipt> flow = blocking(entered, released);
    one.hapax.register(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();
    one.isCut = true;
    onlyBeats(two); // it has no code for it
    eventually(() -> two.hapax.run(run.id()).owner() == null);

    var three = new Node(HapaxOptions.DEFAULT);
    released.raise();
    three.hapax.register(flow);

    moveUntil(SECOND, () -> two.hapax.run(run.id()).status() == RunStatus.SUCCEEDED);
    three.hapax.close();
  }

  @Test
  void a_run_whose_code_no_node_has_says_so_once() throws Exception {
    var entered = new CountDownLatch(1);
    Signal released = time.signal();
    Flow<Order, Receipt> flow = blocking(entered, released);
    one.hapax.register(flow);
    RunHandle<Receipt> run = start(one, flow);
    entered.await();
    assertThat(two.hapax.isCodeMissing(two.hapax.run(run.id()))).isFalse();
    one.isCut = true;
    onlyBeats(two);
    eventually(() -> two.hapax.run(run.id()).owner() == null);
    var three = new Node(HapaxOptions.DEFAULT);

    moveUntil(SECOND, () -> timesMissing(run) == 1);
    moveSteps(200, SECOND); // both look again, more than once

    assertThat(timesMissing(run)).isOne();
    assertThat(two.hapax.isCodeMissing(two.hapax.run(run.id()))).isTrue();
    assertThat(three.hapax.isCodeMissing(three.hapax.run(run.id()))).isTrue();
    released.raise();
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

  @Test
  void of_two_nodes_one_skips_an_instant_that_meets_an_open_run() {
    Flow<String, String> report =
        Flow.of("report", String.class, String.class)
            .body(
                (run, input) -> {
                  run.sleep("work", Duration.ofMinutes(150));
                  return input;
                });
    registerAtBoth(report);
    Schedule<String> hourly =
        Schedule.named("hourly")
            .flow(report)
            .input(Instant::toString)
            .at(NextInstants.every(Duration.ofHours(1), Instant.EPOCH))
            .overlap(Overlap.SKIP);
    one.hapax.schedules().add(hourly);
    two.hapax.schedules().add(hourly);

    moveUntil(Duration.ofMinutes(1), () -> started(report).size() == 2);

    assertThat(two.hapax.schedules().list().getFirst().skipped()).isEqualTo(2);
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
    one.beatOnce(); // it hears that there are two

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
