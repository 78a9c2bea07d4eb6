package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.OnFailure;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What a run undoes may be in use by others. */
class UndoAndOthersTest extends SagaTest {
  /** Books under a name that flows share; one that fails does so after an hour. */
  private Flow<Order, Receipt> shared(String name, boolean fails) {
    return orders(name)
        .onFailure(OnFailure.COMPENSATE)
        .body(
            (run, order) -> {
              String ticket =
                  run.effect(
                      "flight",
                      booking(order, undo("flight")).name("flight.book"),
                      _ -> send("flight"),
                      String.class);
              if (fails) {
                run.sleep("pause", Duration.ofHours(1));
                throw new IllegalStateException("no money");
              }
              return new Receipt(order.id(), ticket);
            });
  }

  /** A run that has reused what another one, which is about to fail, has done. */
  private RunHandle<Receipt> failingAfterReuse() {
    var failing = register(shared("failing", true));
    var reusing = register(shared("reusing", false));
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    hapax.start(reusing, order("A-1")).await();
    moveAndAwait(
        Duration.ofHours(1),
        () -> !hapax.effects(hapax.effects().state(EffectState.REVIEW)).isEmpty());
    return run;
  }

  @Test
  void what_another_run_sent_and_gave_up_is_not_undone_before_a_person_says_so() {
    trouble.put("flight", () -> new IllegalStateException("connection reset"));
    var giving =
        register(
            orders("giving")
                .body(
                    (run, order) -> {
                      run.effect("flight", unguarded(order), _ -> send("flight"));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> first = hapax.start(giving, order("A-1"));
    awaitStatus(first, RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("nobody knows", "ann"));
    awaitStatus(first, RunStatus.FAILED);
    var failing =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect("flight", unguarded(order), _ -> send("flight"));
                      throw new IllegalStateException("no money");
                    }));
    RunHandle<Receipt> second = hapax.start(failing, order("A-1"));
    awaitStatus(second, RunStatus.REVIEW);

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "found", "ann"));

    eventually(() -> !hapax.effects(hapax.effects().state(EffectState.REVIEW)).isEmpty());
    assertThat(effect(EffectState.REVIEW).key().name()).isEqualTo("flight.book.undo");
    assertThat(world).isEmpty();
    hapax.settle(effect("flight.book.undo").id(), Settlement.abandon("it is theirs", "ann"));
    awaitStatus(second, RunStatus.COMPENSATED);
    assertThat(state("flight.book")).isEqualTo(EffectState.DONE);
  }

  private Effect<Void> unguarded(Order order) {
    return create(order).unguarded().name("flight.book").compensate(undo("flight"));
  }

  @Test
  void what_another_run_has_reused_is_not_undone_before_a_person_says_so() {
    RunHandle<Receipt> run = failingAfterReuse();

    EffectRecord undo = effect(EffectState.REVIEW);
    assertThat(undo.key().name()).isEqualTo("flight.book.undo");
    assertThat(undo.evidence()).contains("reused").contains(hapax.id("reusing", "A-1"));
    assertThat(undo.attempts()).isZero();
    assertThat(world).containsExactly("flight");
    assertThat(types(run)).contains("review-first");

    hapax.settle(undo.id(), Settlement.notHappened("send it", "ann"));
    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight");
    assertThat(state("flight.book")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void what_another_run_has_reused_can_be_left_done() {
    RunHandle<Receipt> run = failingAfterReuse();

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("they need it", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight");
    assertThat(state("flight.book")).isEqualTo(EffectState.DONE);
  }

  @Test
  void what_another_run_has_reused_can_have_been_undone_by_hand() {
    RunHandle<Receipt> run = failingAfterReuse();

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened(null, "by phone", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight");
    assertThat(state("flight.book")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void what_a_run_has_reused_it_does_not_undo() {
    var first = register(shared("first", false));
    var failing = register(shared("failing", true));
    hapax.start(first, order("A-1")).await();
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight");
    assertThat(state("flight.book")).isEqualTo(EffectState.DONE);
  }

  @Test
  void the_same_key_again_is_the_next_revision_and_is_undone_by_its_own_undo() {
    var failing = register(shared("failing", true));
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status().isEnd());
    String firstUndo = effect("flight.book.undo").wireKey();
    var again = register(shared("again", true));

    RunHandle<Receipt> second = hapax.start(again, order("A-1"));
    awaitStatus(second, RunStatus.WAITING);
    int revision = effect("flight.book").revision();
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(second.id()).status().isEnd());

    assertThat(revision).isEqualTo(2);
    assertThat(world).containsExactly("flight", "undo-flight", "flight", "undo-flight");
    assertThat(effect("flight.book.undo").revision()).isEqualTo(2);
    assertThat(effect("flight.book.undo").wireKey()).isNotEqualTo(firstUndo);
    assertThat(state("flight.book")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void a_claim_of_what_is_being_undone_waits_and_then_sends_its_own() {
    var undoing = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var failing =
        register(
            orders("failing")
                .onFailure(OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      Undo undo =
                          Undo.keyed(
                              _ -> {
                                undoing.countDown();
                                awaitUninterruptibly(goOn);
                                send("undo-flight");
                              });
                      run.effect(
                          "flight", booking(order, undo).name("flight.book"), _ -> send("flight"));
                      throw new IllegalStateException("no money");
                    }));
    var waiting = register(shared("waiting", false));
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitUninterruptibly(undoing);

    RunHandle<Receipt> waiter = hapax.start(waiting, order("A-1"));
    awaitStatus(waiter, RunStatus.WAITING);
    assertThat(entry(waiter, "held").state()).isEqualTo("undoing");
    goOn.countDown();

    waiter.await();
    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("flight", "undo-flight", "flight");
    assertThat(effect("flight.book").revision()).isEqualTo(2);
  }

  @Test
  void a_claim_of_what_could_not_be_undone_reuses_it() {
    trouble.put("undo-flight", () -> new NotApplied("429"));
    var failing = register(shared("failing", true));
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    moveAndAwait(Duration.ofHours(1), () -> types(run).contains("not-applied"));
    var waiting = register(shared("waiting", false));
    RunHandle<Receipt> waiter = hapax.start(waiting, order("A-1"));
    awaitStatus(waiter, RunStatus.WAITING);

    moveUntil(Duration.ofMillis(50), () -> hapax.run(waiter.id()).status().isEnd());

    assertThat(waiter.await().key()).isEqualTo("flight-1");
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("compensation-failed");
    assertThat(world).containsExactly("flight");
  }

  @Test
  void updates_of_one_thing_are_undone_one_after_the_other() {
    var flow =
        register(
            trips()
                .body(
                    (run, order) -> {
                      for (String to : List.of("reserved", "paid")) {
                        run.effect(
                            to,
                            Effect.update(order.id())
                                .request(to)
                                .upsert()
                                .name("seat")
                                .compensate(undo(to)),
                            (_, content) -> {
                              send(content);
                            });
                      }
                      throw new IllegalStateException("no money");
                    }));

    compensated(flow);

    assertThat(world).containsExactly("reserved", "paid", "undo-paid", "undo-reserved");
    assertThat(state("seat")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void an_update_that_newer_data_has_overtaken_is_not_undone() {
    var failing =
        register(
            trips()
                .body(
                    (run, order) -> {
                      run.effect(
                          "price",
                          Effect.update("P")
                              .request(40)
                              .upsert()
                              .name("price")
                              .compensate(undo("price")),
                          (_, content) -> {
                            send("price-" + content);
                          });
                      run.sleep("pause", Duration.ofHours(1));
                      throw new IllegalStateException("no money");
                    }));
    var newer =
        register(
            orders("newer")
                .body(
                    (run, order) -> {
                      run.effect(
                          "price",
                          Effect.update("P").request(45).upsert().name("price"),
                          (_, content) -> {
                            send("price-" + content);
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(failing, order("A-1"));
    awaitStatus(run, RunStatus.WAITING);
    hapax.start(newer, order("A-1")).await();

    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(world).containsExactly("price-40", "price-45");
    assertThat(entry(run, "overtaken").evidence()).contains("revision 2");
  }
}
