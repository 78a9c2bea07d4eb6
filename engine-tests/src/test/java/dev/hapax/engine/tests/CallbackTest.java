package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.WaitState;
import dev.hapax.store.Batch;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Runs that wait for an outside system to answer with a token. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class CallbackTest extends EngineTest {
  private final ConcurrentMap<String, String> tokens = new ConcurrentHashMap<>();

  /** Hands the token of "paid" to the provider, waits a day, then awaits the payment. */
  private Flow<Order, Receipt> paying() {
    return orders("paying")
        .body(
            (run, order) -> {
              String token = run.callback("paid");
              run.effect(
                  "ask", Effect.create(order.id()).keyed(), _ -> tokens.put(order.id(), token));
              run.sleep("rest", Duration.ofDays(1));
              return new Receipt(
                  order.id(), run.awaitCallback("paid", Duration.ofDays(3), String.class));
            });
  }

  /** Awaits the payment and has nothing else to do. */
  private Flow<Order, Receipt> awaiting() {
    return orders("awaiting")
        .body(
            (run, order) -> {
              tokens.put(order.id(), run.callback("paid"));
              return new Receipt(
                  order.id(), run.awaitCallback("paid", Duration.ofDays(3), String.class));
            });
  }

  private RunHandle<Receipt> startWaiting(Flow<Order, Receipt> flow) {
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitReleased(run);
    return run;
  }

  private String token(String key) {
    return Objects.requireNonNull(tokens.get(key));
  }

  private Callbacks.Receipt answer(Object value) {
    return hapax.callbacks().answer(token("A"), value);
  }

  @Test
  void an_answer_wakes_its_run() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);

    Callbacks.Receipt receipt = answer("ref-7");

    assertThat(receipt.isFirst()).isTrue();
    assertThat(run.await().key()).isEqualTo("ref-7");
    assertThat(types(run))
        .containsExactly(
            "accepted", "callback-opened", "callback-awaited", "wait-settled", "ended");
  }

  @Test
  void an_answer_that_comes_before_its_wait_is_kept() {
    RunHandle<Receipt> run = startWaiting(register(paying()));

    assertThat(answer("early").isFirst()).isTrue();
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(run.await().key()).isEqualTo("early");
  }

  @Test
  void a_second_answer_gets_the_first_is_in_the_history_and_changes_nothing() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    answer("first");
    run.await();

    Callbacks.Receipt second = answer("second");

    assertThat(second.isFirst()).isFalse();
    assertThat(second.value()).isEqualTo("\"first\"");
    assertThat(second.state()).isEqualTo(WaitState.DECIDED);
    assertThat(run.await().key()).isEqualTo("first");
    assertThat(entry(run, "answer-ignored").evidence()).isEqualTo("\"second\"");
  }

  @Test
  void a_token_that_was_never_issued_is_not_found() {
    startWaiting(register(awaiting()));

    for (String garbage : List.of("", "x", token("A") + "a", "\u0000", "ü".repeat(100_000))) {
      assertThatThrownBy(() -> hapax.callbacks().answer(garbage, 1))
          .isInstanceOf(NotFound.class)
          .hasMessage("there is no callback with this token");
    }
  }

  @Test
  void a_token_of_another_tenant_is_not_found() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    hapax.close();
    Hapax other =
        Hapax.open(process, HapaxOptions.DEFAULT.ports(time.ports()).tenant("somebody-else"));

    assertThatThrownBy(() -> other.callbacks().answer(token("A"), 1)).isInstanceOf(NotFound.class);
    other.close();
    reopen(awaiting());
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void a_token_is_long_the_same_after_a_crash_and_another_for_every_run() {
    var flow = register(awaiting());
    startWaiting(flow);
    awaitReleased(hapax.start(flow, order("B")));
    String token = token("A");

    crash(flow);
    tokens.remove("A");
    hapax.callbacks().answer(token, "ok");
    eventually(() -> tokens.containsKey("A"));

    assertThat(token).matches("[a-z2-7]{52}");
    assertThat(token("A")).isEqualTo(token);
    assertThat(token("B")).isNotEqualTo(token);
  }

  @Test
  void the_wait_is_durable_with_the_intent_of_the_effect_that_hands_out_its_token() {
    var batches = new ConcurrentLinkedQueue<Batch>();
    process.beforeCommit(batches::add);

    startWaiting(register(paying()));

    Batch intent =
        batches.stream().filter(b -> MortalStore.writes(b, "claimed")).findFirst().orElseThrow();
    assertThat(MortalStore.writes(intent, "callback-opened")).isTrue();
  }

  @Test
  void starting_a_run_that_waits_costs_one_commit() {
    var flow =
        register(
            orders("bare")
                .body(
                    (run, order) ->
                        new Receipt(order.id(), run.awaitCallback("paid", String.class))));
    var commits = new AtomicInteger();
    process.beforeCommit(_ -> commits.incrementAndGet());

    startWaiting(flow);

    assertThat(commits).hasValue(1);
  }

  @Test
  void a_wait_without_an_answer_expires_and_fails_the_run() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));

    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status().isEnd());

    assertThatThrownBy(run::await)
        .isInstanceOf(RunFailed.class)
        .extracting(e -> ((RunFailed) e).code())
        .isEqualTo("expired");
    Callbacks.Receipt late = answer("late");
    assertThat(late.state()).isEqualTo(WaitState.EXPIRED);
    assertThat(late.isFirst()).isFalse();
    assertThat(late.value()).isNull();
  }

  @Test
  void an_answer_at_the_expiry_itself_decides_nothing() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    crash(); // without its code the expiry is not noted
    time.move(Duration.ofDays(3));

    Callbacks.Receipt late = answer("late");
    hapax.register(awaiting());

    assertThat(late.state()).isEqualTo(WaitState.EXPIRED);
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("expired");
  }

  @Test
  void an_expired_wait_is_open_again_with_its_whole_time_after_a_retry() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    hapax.retry(run.id(), "ann");
    awaitStatus(run, RunStatus.WAITING);
    time.move(Duration.ofDays(2));

    assertThat(answer("at last").isFirst()).isTrue();
    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void an_expired_wait_is_closed_with_its_run_if_the_corrected_input_needs_no_answer() {
    var flow =
        register(
            orders("by-amount")
                .body(
                    (run, order) -> {
                      if (order.total() == 0) {
                        return new Receipt(order.id(), "free");
                      }
                      tokens.put(order.id(), run.callback("paid"));
                      return new Receipt(
                          order.id(), run.awaitCallback("paid", Duration.ofDays(3), String.class));
                    }));
    RunHandle<Receipt> run = startWaiting(flow);
    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    hapax.retry(run.id(), "ann", flow, new Order("A", 0));
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThat(answer("too late").state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void an_expired_wait_is_closed_with_its_run_if_a_person_answers_for_its_step() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    moveAndAwait(Duration.ofDays(3), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    hapax.settleStep(run.id(), "paid", null, "by phone", "the provider called", "ann");
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThat(answer("too late").state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void an_answer_that_comes_while_its_run_has_failed_is_kept_for_the_retry() {
    var broken = new AtomicInteger(1);
    var flow =
        register(
            orders("failing")
                .body(
                    (run, order) -> {
                      String token = run.callback("paid");
                      run.effect(
                          "ask",
                          Effect.create(order.id()).keyed(),
                          _ -> tokens.put(order.id(), token));
                      if (broken.get() == 1) {
                        throw new IllegalStateException("a bug");
                      }
                      return new Receipt(order.id(), run.awaitCallback("paid", String.class));
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);

    assertThat(answer("meanwhile").isFirst()).isTrue();
    broken.set(0);
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).output()).contains("meanwhile");
  }

  @Test
  void a_crash_between_the_answer_and_the_wake_up_loses_nothing() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    process.beforeNextLoad(process::die); // the run is woken, and its process is gone

    answer("paid");
    crash(awaiting());

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(hapax.run(run.id()).output()).contains("paid");
  }

  @Test
  void an_answer_whose_commit_is_unknown_is_submitted_again_and_is_still_the_first() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));
    var failures = new AtomicInteger(1);
    process.beforeCommit(
        batch -> {
          if (failures.getAndDecrement() > 0) {
            process.commitOf(batch);
            throw new UnknownCommit("the line broke", new Exception());
          }
        });

    var receipt = new ArrayList<Callbacks.Receipt>();
    Thread caller = Thread.startVirtualThread(() -> receipt.add(answer("once")));
    moveUntil(Duration.ofMillis(50), () -> !caller.isAlive());

    assertThat(receipt.getFirst().isFirst()).isTrue();
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status().isEnd());
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(types(run)).doesNotContain("answer-ignored");
  }

  @Test
  void a_canceled_run_needs_no_answer_any_more() {
    RunHandle<Receipt> run = startWaiting(register(awaiting()));

    hapax.cancel(run.id(), "ann", null);
    Callbacks.Receipt receipt = answer("too late");

    assertThat(receipt.state()).isEqualTo(WaitState.CLOSED);
    assertThat(receipt.isFirst()).isFalse();
    awaitStatus(run, RunStatus.CANCELED);
    assertThat(answer("again").state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void a_run_that_ended_without_awaiting_it_needs_no_answer() {
    var flow =
        register(
            orders("careless")
                .body(
                    (run, order) -> {
                      tokens.put(order.id(), run.callback("paid"));
                      return new Receipt(order.id(), "");
                    }));
    hapax.start(flow, order("A")).await();

    assertThat(answer("x").state()).isEqualTo(WaitState.CLOSED);
  }

  @Test
  void a_run_that_times_out_while_it_waits_keeps_its_answer_for_a_retry() {
    var flow =
        register(
            orders("hasty")
                .timeout(Duration.ofHours(1))
                .body(
                    (run, order) -> {
                      tokens.put(order.id(), run.callback("paid"));
                      return new Receipt(order.id(), run.awaitCallback("paid", String.class));
                    }));
    RunHandle<Receipt> run = startWaiting(flow);
    moveAndAwait(Duration.ofHours(1), () -> hapax.run(run.id()).status() == RunStatus.FAILED);

    assertThat(answer("after the timeout").isFirst()).isTrue();
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.SUCCEEDED);
  }

  @Test
  void each_item_of_a_loop_has_a_token_of_its_own() {
    var flow =
        register(
            orders("loop")
                .body(
                    (run, order) -> {
                      for (int i = 0; i < 3; i++) {
                        tokens.put("item" + i, run.item(i).callback("paid"));
                      }
                      var sum = new StringBuilder();
                      for (int i = 0; i < 3; i++) {
                        sum.append(run.item(i).awaitCallback("paid", String.class));
                      }
                      return new Receipt(order.id(), sum.toString());
                    }));
    RunHandle<Receipt> run = startWaiting(flow);

    hapax.callbacks().answer(token("item2"), "c");
    hapax.callbacks().answer(token("item0"), "a");
    hapax.callbacks().answer(token("item1"), "b");

    assertThat(run.await().key()).isEqualTo("abc");
  }

  @Test
  void branches_wait_beside_each_other() {
    var flow =
        register(
            orders("both")
                .body(
                    (run, order) -> {
                      List<String> answers =
                          run.parallel(
                              List.of(
                                  branch -> {
                                    tokens.put("left", branch.callback("left"));
                                    return branch.awaitCallback("left", String.class);
                                  },
                                  branch -> {
                                    tokens.put("right", branch.callback("right"));
                                    return branch.awaitCallback("right", String.class);
                                  }));
                      return new Receipt(order.id(), String.join("", answers));
                    }));
    RunHandle<Receipt> run = startWaiting(flow);

    hapax.callbacks().answer(token("right"), "r");
    hapax.callbacks().answer(token("left"), "l");

    assertThat(run.await().key()).isEqualTo("lr");
  }

  @Test
  void a_name_that_is_a_callback_is_nothing_else() {
    var flow =
        register(
            orders("mixed")
                .body(
                    (run, order) -> {
                      run.callback("paid");
                      run.sleep("rest", Duration.ofDays(1));
                      run.sleep("paid", Duration.ofDays(1));
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = startWaiting(flow);

    moveAndAwait(Duration.ofDays(1), () -> hapax.run(run.id()).status().isEnd());

    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(errorOf(run).message()).contains("'paid' as a callback");
  }

  @Test
  void items_of_a_parallel_loop_wait_each_for_its_own_answer_and_are_closed_with_the_run() {
    var flow =
        register(
            orders("each")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "all",
                          Each.of(List.of("a", "b"), one -> one),
                          (item, one) -> {
                            tokens.put(one, item.callback("paid"));
                            tokens.put(one + " spare", item.callback("spare"));
                            item.awaitCallback("paid", String.class);
                          });
                      return new Receipt(order.id(), "all");
                    }));
    RunHandle<Receipt> run = startWaiting(flow);

    hapax.callbacks().answer(token("b"), 1);
    awaitStatus(run, RunStatus.WAITING);
    hapax.callbacks().answer(token("a"), 1);

    assertThat(run.await().key()).isEqualTo("all");
    assertThat(hapax.callbacks().answer(token("a spare"), 1).state()).isEqualTo(WaitState.CLOSED);
  }
}
