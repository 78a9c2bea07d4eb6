package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StaleReview;
import dev.hapax.flow.Undo;
import dev.hapax.store.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person settles an effect of a run that is in another node's memory. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class RemoteReviewTest extends TwoNodesTest {
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

  /** The mail is lost in one branch; the other keeps the run in memory. */
  private static Flow<Order, Receipt> undoable(
      List<String> undone, CountDownLatch entered, CountDownLatch released) {
    return orders("undoable")
        .body(
            (run, order) -> {
              List<String> said =
                  run.parallel(
                      List.of(
                          one ->
                              one.effect(
                                  "mail",
                                  Effect.notify(order.id())
                                      .unguarded()
                                      .compensate(Undo.upsert(_ -> undone.add("mail"))),
                                  _ -> {
                                    throw new IOException("reset");
                                  },
                                  String.class),
                          _ -> {
                            entered.countDown();
                            awaitUninterruptibly(released);
                            return "two";
                          }));
              run.effect(
                  "next",
                  Effect.notify("next/" + order.id()).unguarded(),
                  _ -> {
                    undone.add("next was sent");
                  });
              return new Receipt(order.id(), said.getFirst());
            });
  }

  /** A node may die between any two commits. */
  @Test
  void a_decision_and_its_undo_are_one_commit_at_a_node_that_does_not_hold_the_run() {
    var undone = new CopyOnWriteArrayList<String>();
    var entered = new CountDownLatch(1);
    var released = new CountDownLatch(1);
    Flow<Order, Receipt> flow = undoable(undone, entered, released);
    registerAtBoth(flow);
    RunHandle<Receipt> run = start(one, flow);
    moveUntil(Duration.ofMillis(10), () -> entered.getCount() == 0);
    EffectRecord seen = inReview();
    var cancels = new AtomicInteger();
    two.beforeCommit =
        change -> {
          if (change instanceof Change.RequestCancel) {
            cancels.incrementAndGet();
          }
        };

    two.hapax.settle(
        seen.id(), Settlement.happened("by hand", "seen", "ada").thenCompensate().seen(seen));

    assertThat(cancels).hasValue(1); // of the try to write the decision beside the run
    assertThat(one.hapax.run(run.id()).cancel()).isNotNull();
    released.countDown();
    moveUntil(SECOND, () -> one.hapax.run(run.id()).status() == RunStatus.COMPENSATED);
    assertThat(undone).containsExactly("mail");
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
        .isInstanceOf(StaleReview.class);
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
}
