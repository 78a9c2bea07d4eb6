package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The ledger: reuse across runs and flows, conflicts, revisions, retries of what was not applied.
 */
class EffectTest extends EngineTest {
  private final World world = new World();

  private Flow<Order, Receipt> flow(String name, String effectName) {
    return orders(name)
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect(
                        "charge",
                        Effect.create(order.id()).request(order.total()).keyed().name(effectName),
                        (key, total) -> world.apply(key + ":" + total),
                        String.class)));
  }

  @Test
  void
      another_flow_with_the_same_effect_gets_the_recorded_result_and_its_history_says_from_where() {
    var first = register(flow("shop", "charge"));
    var second = register(flow("backfill", "charge"));
    RunHandle<Receipt> owner = hapax.start(first, order("A"));
    Receipt receipt = owner.await();

    RunHandle<Receipt> reuser = hapax.start(second, order("A"));

    assertThat(reuser.await()).isEqualTo(receipt);
    assertThat(world.count()).isEqualTo(1);
    assertThat(entry(reuser, "reused").reusedFrom()).isEqualTo(owner.id());
  }

  @Test
  void another_request_under_a_done_key_is_a_conflict() {
    var first = register(flow("shop", "charge"));
    var second = register(flow("backfill", "charge"));
    hapax.start(first, new Order("A", 40)).await();

    RunHandle<Receipt> other = hapax.start(second, new Order("A", 45));

    assertThatThrownBy(other::await)
        .isInstanceOfSatisfying(
            RunFailed.class, e -> assertThat(e.code()).isEqualTo("effect-key-reused"));
    assertThat(world.count()).isEqualTo(1);
  }

  private void mail(RunContext run, String step, Effect.Draft<String> effect) {
    run.effect(
        step,
        effect.unguarded().name("mail"),
        (RunContext.RequestAction<String>) (_, text) -> world.apply(text));
  }

  /** Two steps that send under one key. */
  private RunHandle<Receipt> startTwoMails(String first, String second) {
    var flow =
        register(
            orders("mails")
                .body(
                    (run, order) -> {
                      mail(run, "first", Effect.notify(order.id()).request(first));
                      mail(run, "second", Effect.notify(order.id()).request(second));
                      return new Receipt(order.id(), "sent");
                    }));
    return hapax.start(flow, order("A"));
  }

  @Test
  void a_second_step_with_the_same_key_and_other_content_fails_instead_of_counting_as_sent() {
    RunHandle<Receipt> run = startTwoMails("Welcome", "Your invoice");

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class, e -> assertThat(e.code()).isEqualTo("effect-key-reused"))
        .hasMessageContaining("step 'first' of the same run claimed it with another request");
    assertThat(world.arrivals()).containsExactly("Welcome");
    assertThat(entry(run, "conflict").decision()).isEqualTo("effect-key-reused");
  }

  @Test
  void a_second_step_with_the_same_key_and_content_reuses_the_first() {
    RunHandle<Receipt> run = startTwoMails("Welcome", "Welcome");

    run.await();

    assertThat(world.arrivals()).containsExactly("Welcome");
    assertThat(entry(run, "reused").reusedFrom()).isEqualTo(run.id());
  }

  @Test
  void two_steps_with_one_key_and_no_request_cannot_be_compared() {
    var flow =
        register(
            orders("mails")
                .body(
                    (run, order) -> {
                      for (String step : List.of("first", "second")) {
                        run.effect(
                            step,
                            Effect.notify(order.id()).unguarded().name("mail"),
                            _ -> world.apply(step));
                      }
                      return new Receipt(order.id(), "sent");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class, e -> assertThat(e.code()).isEqualTo("effect-key-reused"))
        .hasMessageContaining("no request is given to compare");
    assertThat(world.arrivals()).containsExactly("first");
  }

  @Test
  void a_second_claimant_waits_for_the_owner_and_is_woken() {
    var inside = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var slow =
        register(
            charging(
                "slow",
                order -> create(order).keyed().name("charge"),
                key -> {
                  inside.countDown();
                  go.await();
                  return world.apply(key);
                }));
    var quick =
        register(charging("quick", order -> create(order).keyed().name("charge"), world::apply));
    RunHandle<Receipt> owner = hapax.start(slow, order("A"));
    eventually(() -> inside.getCount() == 0);
    RunHandle<Receipt> waiter = hapax.start(quick, order("A"));
    awaitStatus(waiter, RunStatus.WAITING);

    go.countDown();

    assertThat(waiter.await()).isEqualTo(owner.await());
    assertThat(world.count()).isEqualTo(1);
    assertThat(types(waiter)).containsSubsequence("held", "reused");
  }

  @Test
  void what_was_not_applied_is_retried_with_the_same_wire_key_until_it_is() {
    var calls = new AtomicInteger();
    var keys = new java.util.concurrent.ConcurrentLinkedQueue<String>();
    var flow =
        register(
            charging(
                "busy",
                order -> create(order).unguarded(),
                key -> {
                  keys.add(key);
                  if (calls.incrementAndGet() < 3) {
                    throw new NotApplied("429");
                  }
                  return world.apply(key);
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    for (int i = 1; i < 3; i++) {
      int seen = i;
      eventually(() -> calls.get() == seen && hapax.run(run.id()).status() == RunStatus.WAITING);
      crash(flow); // a crash while backing off is no doubt
      moveAndWake(Duration.ofMinutes(1), run);
    }

    assertThat(hapax.handle(run.id(), Receipt.class).await().order()).isEqualTo("A");
    assertThat(keys).hasSize(3).containsOnly(keys.peek());
    assertThat(effect(EffectState.DONE).attempts()).isEqualTo(3);
  }

  @Test
  void retries_that_end_not_applied_fail_the_run_and_a_retry_is_the_next_revision() {
    var open = new AtomicInteger();
    var keys = new java.util.concurrent.ConcurrentLinkedQueue<String>();
    var flow =
        register(
            charging(
                "closed",
                order -> create(order).keyed().retry(retries(1)),
                key -> {
                  keys.add(key);
                  if (open.get() == 0) {
                    throw new NotApplied("connection refused");
                  }
                  return world.apply(key);
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class,
            e -> {
              assertThat(e.code()).isEqualTo("not-applied");
              assertThat(e.retryable()).isTrue();
            });

    open.set(1);
    hapax.retry(run.id(), "ada");

    assertThat(hapax.handle(run.id(), Receipt.class).await().order()).isEqualTo("A");
    assertThat(keys).hasSize(2).doesNotHaveDuplicates();
    assertThat(effect(EffectState.DONE).revision()).isEqualTo(2);
  }

  @Test
  void a_rejected_effect_is_final_and_keeps_its_code() {
    var flow =
        register(
            charging(
                "declined",
                order -> create(order).keyed(),
                _ -> {
                  throw new Rejected("card-declined", "no funds");
                }));

    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    assertThatThrownBy(run::await)
        .isInstanceOfSatisfying(
            RunFailed.class,
            e -> {
              assertThat(e.code()).isEqualTo("card-declined");
              assertThat(e.retryable()).isFalse();
              assertThat(e.step()).isEqualTo("charge");
            });
    assertThat(effect(EffectState.FAILED).evidence()).contains("no funds");
  }

  @Test
  void corrected_input_computes_again_and_keeps_what_was_created() {
    var computed = new AtomicInteger();
    var flow =
        register(
            orders("correct")
                .body(
                    (run, order) -> {
                      run.step("price", computed::incrementAndGet, Integer.class);
                      String charged =
                          run.effect(
                              "charge",
                              create(order).request(order.total()).keyed(),
                              (key, total) -> world.apply("charge " + total),
                              String.class);
                      run.effect(
                          "crm",
                          Effect.update(order.id()).request(order.total()).upsert(),
                          (key, total) -> {
                            world.apply("crm " + total);
                          });
                      if (order.total() < 0) {
                        throw new IllegalArgumentException("negative");
                      }
                      return new Receipt(order.id(), charged);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, new Order("A", -1));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);

    hapax.retry(run.id(), "ada", flow, new Order("A", 40));
    Receipt receipt = hapax.handle(run.id(), Receipt.class).await();

    assertThat(receipt.key()).isEqualTo("applied-charge -1");
    assertThat(computed).hasValue(2);
    assertThat(world.arrivals()).containsExactly("charge -1", "crm -1", "crm 40");
    assertThat(hapax.start(flow, new Order("A", -1)).isDuplicate()).isTrue();
    assertThat(hapax.start(flow, new Order("A", 40)).isDuplicate()).isTrue();
    assertThat(entry(run, "reused").decision()).contains("content differs");
    assertThatThrownBy(() -> hapax.retry(run.id(), "ada", flow, new Order("B", 40)))
        .hasMessageContaining("key 'B'");
  }

  @Test
  void an_additive_effect_happens_once_per_run() {
    var flow =
        register(
            orders("points")
                .body(
                    (run, order) ->
                        new Receipt(
                            order.id(),
                            run.effect(
                                "add",
                                Effect.additive("customer-1").keyed(),
                                world::apply,
                                String.class))));
    hapax.start(flow, order("A")).await();
    hapax.start(flow, order("B")).await();
    hapax.start(flow, order("B")).await();

    assertThat(world.arrivals()).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void a_failed_step_that_was_done_by_hand_is_settled_and_the_run_goes_on() {
    var flow =
        register(
            orders("by-hand")
                .body(
                    (run, order) -> {
                      String charged =
                          run.effect(
                              "charge",
                              create(order).keyed(),
                              _ -> {
                                throw new Rejected("closed", "we are closed");
                              },
                              String.class);
                      return new Receipt(order.id(), charged);
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);

    assertThatThrownBy(() -> hapax.settleStep(run.id(), "other", null, "x", "why", "ada"))
        .hasMessageContaining("'charge'");
    hapax.settleStep(
        run.id(), "charge", null, "charged at the desk", "the customer came by", "ada");

    assertThat(hapax.handle(run.id(), Receipt.class).await().key())
        .isEqualTo("charged at the desk");
    EffectRecord row = effect(EffectState.DONE);
    assertThat(row.result()).isEqualTo("\"charged at the desk\"");
    assertThat(entry(run, "step-settled").evidence()).isEqualTo("the customer came by");
  }
}
