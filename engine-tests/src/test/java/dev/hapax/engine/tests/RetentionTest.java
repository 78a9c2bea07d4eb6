package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hapax.HapaxOptions;
import dev.hapax.KeyExpired;
import dev.hapax.RetentionOutlook;
import dev.hapax.RunHandle;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.AfterRetention;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Change;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What stays after a run's end, for how long, and what a start under its key gets. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class RetentionTest extends EngineTest {
  private final AtomicInteger sent = new AtomicInteger();

  @Test
  void within_the_retention_the_second_start_gets_the_first_run() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> first = run(flow, "A-1");
    moveSteps(29, Duration.ofDays(1));

    RunHandle<Receipt> second = hapax.start(flow, order("A-1"));

    assertThat(second.isDuplicate()).isTrue();
    assertThat(second.await()).isEqualTo(first.await());
    assertThat(sent).hasValue(1);
  }

  @Test
  void after_the_retention_a_start_learns_that_the_work_was_done() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> first = run(flow, "A-1");
    Instant end = Objects.requireNonNull(hapax.run(first.id()).endedAt());
    awaitExpired(first);

    KeyExpired told = catchThrowableOfType(KeyExpired.class, () -> hapax.start(flow, order("A-1")));

    assertThat(told.runId()).isEqualTo(first.id());
    assertThat(told.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(told.endedAt()).isEqualTo(end);
    assertThat(told.code()).isEqualTo("key-expired");
    assertThat(told).hasMessageContaining(first.id()).hasMessageContaining("afterRetention");
    assertThatThrownBy(() -> hapax.run(first.id())).isInstanceOf(KeyExpired.class);
    assertThat(sent).hasValue(1);
  }

  @Test
  void with_new_the_key_gets_a_run_of_its_own_again() {
    var flow = register(renewing());
    RunHandle<Receipt> first = run(flow, "A-1");
    awaitExpired(first);

    RunHandle<Receipt> second = hapax.start(flow, order("A-1"));
    second.await();
    RunHandle<Receipt> again = hapax.start(flow, order("A-1"));

    assertThat(second.isDuplicate()).isFalse();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(again.isDuplicate()).isTrue();
    assertThat(again.id()).isEqualTo(second.id());
  }

  /** The example of docs/operate/retention.md. */
  @Test
  void a_flow_says_how_long_and_what_comes_after() {
    Flow<Order, Receipt> flow =
        Flow.of("monthly-report", Order.class, Receipt.class)
            .key(Order::id)
            .retention(Duration.ofDays(7))
            .afterRetention(AfterRetention.NEW)
            .body((run, order) -> new Receipt(order.id(), "written"));
    hapax.register(flow);
    RunHandle<Receipt> first = run(flow, "A-1");
    Instant end = Objects.requireNonNull(hapax.run(first.id()).endedAt());

    assertThat(hapax.retention().keptUntil(first.id())).isEqualTo(end.plus(Duration.ofDays(7)));

    moveAndAwait(Duration.ofDays(8), () -> hapax.retention().deleted().runs() == 1);
    assertThat(hapax.start(flow, order("A-1")).id()).isNotEqualTo(first.id());
  }

  @Test
  void the_outlook_says_what_goes_and_what_has_gone_of_one_tenant() {
    Flow<Order, Receipt> flow =
        Flow.of("weekly", Order.class, Receipt.class)
            .key(Order::id)
            .retention(Duration.ofDays(7))
            .body((run, order) -> new Receipt(order.id(), "written"));
    hapax.register(flow);
    run(flow, "A-1");
    RunHandle<Receipt> second = run(flow, "A-2");

    RetentionOutlook before = hapax.retention().outlook(8);
    RetentionOutlook others = hapax.tenant("other").retention().outlook(90);
    moveAndAwait(Duration.ofDays(8), () -> hapax.retention().deleted().runs() == 2);
    RetentionOutlook after = hapax.retention().outlook(7);

    assertThat(before.leaving().stream().filter(group -> group.kind().equals("run")))
        .singleElement()
        .satisfies(group -> assertThat(group.count()).isEqualTo(2))
        .satisfies(group -> assertThat(group.name()).isEqualTo(flow.name()));
    assertThat(before.keep()).containsEntry(flow.name(), Duration.ofDays(7));
    assertThat(before.gone()).isEmpty();
    assertThat(before.held()).isEmpty();
    assertThat(before.paused()).isNull();
    assertThat(others.leaving()).isEmpty();
    assertThat(after.gone().stream().filter(group -> group.kind().equals("run")))
        .extracting(RetentionOutlook.Group::count)
        .containsExactly(2L);
    assertThat(after.leaving().stream().filter(group -> group.kind().equals("run"))).isEmpty();
    assertThatThrownBy(() -> hapax.retention().explainRun(second.id()))
        .isInstanceOf(KeyExpired.class);
    assertThatThrownBy(() -> hapax.retention().outlook(91)).hasMessageContaining("1 to 90");
  }

  @Test
  void every_time_that_the_key_comes_again_is_a_generation() {
    var flow = register(renewing());
    String before = "";
    for (int i = 0; i < 4; i++) {
      RunHandle<Receipt> run = run(flow, "A-1");
      assertThat(run.isDuplicate()).isFalse();
      assertThat(run.id()).isNotEqualTo(before);
      before = run.id();
      awaitExpired(run);
    }
  }

  @Test
  void when_the_tombstone_is_gone_too_the_key_is_free() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> first = run(flow, "A-1");
    awaitExpired(first);

    moveAndAwait(Duration.ofDays(367), () -> hapax.retention().deleted().tombstones() == 1);

    assertThatThrownBy(() -> hapax.run(first.id())).isInstanceOf(NotFound.class);
    assertThat(hapax.start(flow, order("A-1")).isDuplicate()).isFalse();
  }

  @Test
  void a_run_that_waits_or_is_in_review_stays() {
    var sleeper = register(sleeping(Duration.ofDays(90)));
    RunHandle<Receipt> asleep = hapax.start(sleeper, order("A-1"));
    var doubtful =
        register(
            charging(
                "doubtful",
                create(order("A-2")).unguarded(),
                _ -> {
                  throw new IllegalStateException("reset");
                }));
    RunHandle<Receipt> inReview = hapax.start(doubtful, order("A-2"));
    awaitStatus(inReview, RunStatus.REVIEW);
    awaitReleased(asleep);

    moveSteps(60, Duration.ofDays(1));

    assertThat(hapax.run(asleep.id()).status()).isEqualTo(RunStatus.WAITING);
    assertThat(hapax.run(inReview.id()).status()).isEqualTo(RunStatus.REVIEW);
    assertThat(effect(EffectState.REVIEW).state()).isEqualTo(EffectState.REVIEW);
  }

  @Test
  void a_failed_run_that_is_retried_has_its_retention_again() {
    var broken = new AtomicInteger(1);
    var flow =
        register(
            orders("fragile")
                .body(
                    (run, order) -> {
                      run.step("work", () -> fails(broken), String.class);
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.FAILED);
    moveSteps(20, Duration.ofDays(1));
    hapax.retry(run.id(), "ann");
    awaitStatus(run, RunStatus.SUCCEEDED);

    moveSteps(20, Duration.ofDays(1));

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    awaitExpired(run);
  }

  @Test
  void many_runs_go_in_small_commits() {
    var flow = register(flow(AfterRetention.EXPIRED));
    for (int i = 0; i < 300; i++) {
      hapax.start(flow, order("A-" + i)).await();
    }
    var largest = new AtomicInteger();
    process.beforeCommit(
        batch -> {
          for (var group : batch.groups()) {
            for (var change : group.changes()) {
              if (change instanceof Change.ExpireRuns(var runs, var _, var _, var _)) {
                largest.accumulateAndGet(runs.size(), Math::max);
              }
            }
          }
        });

    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() == 300);

    assertThat(largest.get()).isBetween(1, 200);
    assertThat(hapax.runs(hapax.runs())).isEmpty();
  }

  @Test
  void a_process_that_died_in_between_leaves_the_rest_to_the_next() {
    var flow = register(flow(AfterRetention.EXPIRED));
    for (int i = 0; i < 300; i++) {
      hapax.start(flow, order("A-" + i)).await();
    }
    process.beforeCommit(
        _ -> {
          if (hapax.retention().deleted().runs() > 0) {
            process.die();
          }
        });
    moveAndAwait(Duration.ofDays(31), process::isDead);

    crash(flow);

    moveAndAwait(Duration.ofDays(1), () -> hapax.retention().deleted().runs() == 300);
    assertThatThrownBy(() -> hapax.start(flow, order("A-7"))).isInstanceOf(KeyExpired.class);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_deletes_once() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> run = run(flow, "A-1");
    var failed = new AtomicInteger();
    process.beforeCommit(
        batch -> {
          boolean expires =
              batch.groups().stream()
                  .flatMap(group -> group.changes().stream())
                  .anyMatch(change -> change instanceof Change.ExpireRuns);
          if (expires && failed.getAndIncrement() == 0) {
            process.failNextCommit(
                new UnknownCommit("nobody knows", new IllegalStateException()), true);
          }
        });

    awaitExpired(run);

    assertThat(hapax.retention().deleted().runs()).isEqualTo(1);
    assertThatThrownBy(() -> hapax.start(flow, order("A-1"))).isInstanceOf(KeyExpired.class);
  }

  @Test
  void a_forgotten_key_gets_a_new_run_and_its_effects_are_not_sent_again() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> first = run(flow, "A-1");

    hapax.forget(flow, "A-1", "ann", "the customer asked");
    RunHandle<Receipt> second = hapax.start(flow, order("A-1"));

    assertThat(second.isDuplicate()).isFalse();
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.await()).isEqualTo(first.await());
    assertThat(sent).hasValue(1);
    assertThat(entry(first, "key-forgotten").evidence()).isEqualTo("the customer asked");
    assertThat(hapax.start(flow, order("A-1")).id()).isEqualTo(second.id());
  }

  @Test
  void of_a_flow_that_makes_a_run_per_input_all_runs_of_a_key_are_forgotten() {
    var flow =
        register(
            orders("per-input")
                .conflict(Flow.Conflict.NEW)
                .body((_, order) -> new Receipt(order.id(), "" + order.total())));
    var first = hapax.start(flow, new Order("A-1", 1));
    var second = hapax.start(flow, new Order("A-1", 2));
    first.await();
    second.await();

    hapax.forget(flow, "A-1", "ann", "both were wrong");

    assertThat(hapax.start(flow, new Order("A-1", 1)).id()).isNotEqualTo(first.id());
    assertThat(hapax.start(flow, new Order("A-1", 2)).id()).isNotEqualTo(second.id());
  }

  @Test
  void an_expired_key_can_be_forgotten_too() {
    var flow = register(flow(AfterRetention.EXPIRED));
    RunHandle<Receipt> first = run(flow, "A-1");
    awaitExpired(first);

    hapax.forget(flow, "A-1", "ann", "once more");

    assertThat(hapax.start(flow, order("A-1")).id()).isNotEqualTo(first.id());
  }

  @Test
  void the_key_of_a_run_that_has_not_ended_is_not_forgotten() {
    var flow = register(sleeping(Duration.ofDays(1)));
    hapax.start(flow, order("A-1"));

    assertThatThrownBy(() -> hapax.forget(flow, "A-1", "ann", "hurry"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Cancel it first");
    assertThatThrownBy(() -> hapax.forget(flow, "B", "ann", "no such key"))
        .isInstanceOf(NotFound.class);
  }

  @Test
  void a_forgotten_run_is_not_retried() {
    var broken = new AtomicInteger(1);
    var flow =
        register(
            orders("fragile")
                .body(
                    (run, order) -> {
                      run.step("work", () -> fails(broken), String.class);
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.FAILED);
    hapax.forget(flow, "A-1", "ann", "wrong order");

    assertThatThrownBy(() -> hapax.retry(run.id(), "bob"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("forgotten");
  }

  @Test
  void an_engine_with_nothing_to_delete_is_silent() {
    var flow = register(flow(AfterRetention.EXPIRED));
    run(flow, "A-1");
    int before = process.calls();
    moveAndAwait(Duration.ofMinutes(2), () -> process.calls() >= before + 2); // its first look
    // Ten minutes after a run has left memory, the engine looks once for runs without a thread.
    moveAndAwait(Duration.ofMinutes(11), () -> process.calls() >= before + 3);
    moveSteps(3, Duration.ofMinutes(1));
    int calls = process.calls();

    moveSteps(20, Duration.ofDays(1));

    assertThat(process.calls()).isEqualTo(calls);
  }

  @Test
  void a_retention_is_more_than_nothing() {
    assertThatThrownBy(() -> orders("never").retention(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("retention of flow 'never'");
    assertThatThrownBy(() -> HapaxOptions.DEFAULT.tombstoneLife(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private Flow<Order, Receipt> flow(AfterRetention after) {
    return orders("charge-order")
        .afterRetention(after)
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect(
                        "charge",
                        create(order).keyed(Duration.ofHours(24)),
                        _ -> "paid " + sent.incrementAndGet(),
                        String.class)));
  }

  private Flow<Order, Receipt> renewing() {
    return orders("report")
        .afterRetention(AfterRetention.NEW)
        .body((run, order) -> new Receipt(order.id(), "written"));
  }

  private RunHandle<Receipt> run(Flow<Order, Receipt> flow, String id) {
    RunHandle<Receipt> run = hapax.start(flow, order(id));
    run.await();
    return run;
  }

  private void awaitExpired(RunHandle<?> run) {
    long before = hapax.retention().deleted().runs();
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() > before);
    assertThatThrownBy(() -> hapax.run(run.id())).isInstanceOf(KeyExpired.class);
  }

  private static String fails(AtomicInteger times) {
    if (times.getAndDecrement() > 0) {
      throw new IllegalStateException("broken");
    }
    return "done";
  }
}
