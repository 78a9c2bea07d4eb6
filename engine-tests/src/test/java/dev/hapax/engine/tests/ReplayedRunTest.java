package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StalePlan;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A replay does again what a person asks for, and sends nothing that the plan does not have. */
class ReplayedRunTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger price = new AtomicInteger(1);
  private final AtomicInteger computed = new AtomicInteger();
  private boolean refuses;
  private int changesAfter = -1;

  /** Computes a price, charges it, and writes it to the ledger of the shop. */
  private Flow<Order, String> shop(int release) {
    return Flow.of("shop", Order.class, String.class)
        .key(Order::id)
        .release(release)
        .body(
            (run, order) -> {
              int total =
                  run.step(
                      "price",
                      () -> {
                        if (computed.incrementAndGet() == changesAfter) {
                          price.incrementAndGet();
                        }
                        return price.get();
                      },
                      Integer.class);
              run.effect(
                  "charge",
                  Effect.create(order.id()).request(total).keyed().name("charge"),
                  (_, cents) -> {
                    if (refuses) {
                      throw new Rejected("no-money", "the card is empty");
                    }
                    world.apply("charge-" + cents);
                  });
              run.effect(
                  "book",
                  Effect.update(order.id()).request(total).upsert().name("book"),
                  (_, cents) -> {
                    world.apply("book-" + cents);
                  });
              return "r" + release;
            });
  }

  private ReplayPlan plan(RunHandle<?> run, ReplayWish wish) {
    return hapax.replays().plan(run.id(), wish);
  }

  private String replay(RunHandle<?> run, ReplayWish wish) {
    hapax.replays().apply(plan(run, wish), "ada", "a test");
    return hapax.handle(run.id(), String.class).await();
  }

  private static List<String> decisions(ReplayPlan plan) {
    return plan.items().stream().map(item -> item.step() + " " + item.decision().word()).toList();
  }

  @Test
  void a_replay_of_a_succeeded_run_computes_again_and_sends_nothing() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();

    ReplayPlan plan = plan(run, ReplayWish.ALL);

    assertThat(decisions(plan)).containsExactly("charge reuse", "book reuse");
    assertThat(plan.ends()).isNull();
    assertThat(plan.totals()).isEqualTo(new ReplayPlan.Totals(0, 2, 0, 0, 0));
    computed.set(0);
    assertThat(replay(run, ReplayWish.ALL)).isEqualTo("r1");
    assertThat(computed.get()).isPositive();
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1");
    assertThat(types(run)).contains("replayed").endsWith("ended");
  }

  @Test
  void steps_before_the_chosen_one_are_kept() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    price.set(2);

    ReplayPlan plan = plan(run, ReplayWish.from("book"));

    assertThat(decisions(plan)).containsExactly("charge keep", "book reuse");
    computed.set(0);
    replay(run, ReplayWish.from("book"));
    assertThat(computed).hasValue(0);
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_create_with_other_content_is_reused_and_an_uncorrected_update_too() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    price.set(2);

    assertThat(decisions(plan(run, ReplayWish.ALL)))
        .containsExactly("charge changed", "book changed");
    replay(run, ReplayWish.ALL);
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1");
  }

  @Test
  void a_corrected_output_sends_the_update_once() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    ReplayWish wish = ReplayWish.from("charge").withOutput("price", "7");

    ReplayPlan plan = plan(run, wish);

    assertThat(decisions(plan)).containsExactly("charge changed", "book send");
    assertThat(plan.items().getLast().request()).isEqualTo("7");
    assertThat(plan.items().getLast().revision()).isEqualTo(2);
    replay(run, wish);
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1", "book-7");
    assertThat(decisions(plan(run, wish))).containsExactly("charge changed", "book reuse");
    replay(run, wish);
    assertThat(world.count()).isEqualTo(3);
  }

  @Test
  void a_newer_update_by_other_work_is_not_written_over() {
    Flow<Order, String> flow = register(shop(1));
    RunHandle<String> run = hapax.start(flow, order("A"));
    run.await();
    price.set(9);
    var other =
        register(
            Flow.of("other", Order.class, String.class)
                .body(
                    (it, order) -> {
                      it.effect(
                          "book",
                          Effect.update(order.id()).request(9).upsert().name("book"),
                          (_, cents) -> {
                            world.apply("other-" + cents);
                          });
                      return "ok";
                    }));
    hapax.start(other, order("A"), "k").await();
    ReplayWish wish = ReplayWish.from("charge").withOutput("price", "7");

    ReplayPlan plan = plan(run, wish);

    assertThat(decisions(plan)).containsExactly("charge changed", "book keep");
    assertThat(plan.items().getLast().note()).contains("superseded");
    replay(run, wish);
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1", "other-9");
  }

  @Test
  void a_failed_effect_is_sent_as_its_next_revision_and_the_rest_as_planned() {
    refuses = true;
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    refuses = false;

    ReplayPlan plan = plan(run, ReplayWish.from("charge"));

    assertThat(decisions(plan)).containsExactly("charge send", "book send");
    replay(run, ReplayWish.from("charge"));
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1");
  }

  @Test
  void only_the_named_effect_is_forced_and_only_once() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    EffectRecord charge = hapax.effects(hapax.effects().name("charge")).getFirst();
    ReplayWish wish = ReplayWish.ALL.forcing(charge.id(), "the bank lost it");

    assertThat(decisions(plan(run, wish))).containsExactly("charge send", "book reuse");
    replay(run, wish);

    assertThat(world.arrivals()).containsExactly("charge-1", "book-1", "charge-1");
    assertThat(hapax.history(run.id()).toString()).contains("the bank lost it");
    replay(run, ReplayWish.ALL);
    assertThat(world.count()).isEqualTo(3);
  }

  @Test
  void a_send_that_the_plan_does_not_have_stops_the_run() {
    var asks = new AtomicInteger();
    var flow =
        register(
            Flow.of("late", Order.class, String.class)
                .key(Order::id)
                .onFailure(Flow.OnFailure.COMPENSATE)
                .body(
                    (run, order) -> {
                      int seen = run.step("look", asks::incrementAndGet, Integer.class);
                      run.effect(
                          "first",
                          Effect.create(order.id())
                              .keyed()
                              .name("first")
                              .compensate(Undo.keyed(_ -> world.apply("undo"))),
                          key -> {
                            world.apply("first");
                          });
                      if (seen > 2) {
                        run.effect(
                            "second",
                            Effect.create(order.id()).keyed().name("second"),
                            key -> {
                              world.apply("second");
                            });
                      }
                      return "ok";
                    }));
    RunHandle<String> run = hapax.start(flow, order("A"));
    run.await();
    ReplayPlan plan = plan(run, ReplayWish.ALL); // the second look
    asks.set(1);

    hapax.replays().apply(plan, "ada", null); // plans once more, and then looks a third time

    eventually(() -> hapax.run(run.id()).status().isEnd());
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.FAILED);
    assertThat(hapax.run(run.id()).error()).extracting(Failure::code).isEqualTo("plan-stale");
    assertThat(world.arrivals()).containsExactly("first");
    hapax.retry(run.id(), "ada");
    hapax.handle(run.id(), String.class).await();
    assertThat(world.arrivals()).containsExactly("first", "second");
  }

  @Test
  void a_plan_is_stale_when_the_request_that_it_shows_has_changed() {
    refuses = true;
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    ReplayPlan plan = plan(run, ReplayWish.ALL);
    refuses = false;
    price.set(2);

    assertThatThrownBy(() -> hapax.replays().apply(plan, "ada", null))
        .isInstanceOf(StalePlan.class)
        .hasMessageContaining("step 'charge' (charge 'A') has another request now, at /");
    assertThat(plan.items().getFirst().request()).isEqualTo("1");
    assertThat(world.arrivals()).isEmpty();
    assertThat(replay(run, ReplayWish.ALL)).isEqualTo("r1");
    assertThat(world.arrivals()).containsExactly("charge-2", "book-2");
  }

  @Test
  void a_request_that_changes_after_the_plan_was_applied_is_not_sent() {
    refuses = true;
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    refuses = false;
    changesAfter = 3; // the plan, the plan before it is applied, and then the run itself
    computed.set(0);
    ReplayPlan plan = plan(run, ReplayWish.ALL);

    hapax.replays().apply(plan, "ada", null);

    eventually(() -> hapax.run(run.id()).status().isEnd());
    assertThat(hapax.run(run.id()).error())
        .satisfies(error -> assertThat(error.code()).isEqualTo("plan-stale"))
        .satisfies(
            error ->
                assertThat(error.message())
                    .contains("with another request than the plan of the replay shows"));
    assertThat(world.arrivals()).isEmpty();
    assertThat(hapax.history(run.id()))
        .filteredOn(line -> "plan-stale".equals(line.decision()))
        .singleElement()
        .satisfies(line -> assertThat(line.evidence()).contains("shows another request"));
    hapax.retry(run.id(), "ada");
    hapax.handle(run.id(), String.class).await();
    assertThat(world.arrivals()).containsExactly("charge-2", "book-2");
  }

  @Test
  void a_stale_plan_is_refused_and_says_what_changed() {
    refuses = true;
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    assertThatThrownBy(run::await).isInstanceOf(RunFailed.class);
    ReplayPlan plan = plan(run, ReplayWish.from("charge"));
    refuses = false;
    hapax.retry(run.id(), "bob");
    hapax.handle(run.id(), String.class).await();

    assertThatThrownBy(() -> hapax.replays().apply(plan, "ada", null))
        .isInstanceOf(StalePlan.class)
        .hasMessageContaining("step 'charge' (charge 'A') was send and is reuse now");
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void of_two_people_who_apply_one_plan_the_second_is_refused() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    ReplayPlan plan = plan(run, ReplayWish.ALL);
    hapax.replays().apply(plan, "ada", null);
    hapax.handle(run.id(), String.class).await();

    assertThatThrownBy(() -> hapax.replays().apply(plan, "bob", null))
        .isInstanceOf(StalePlan.class);
  }

  @Test
  void a_replay_goes_on_after_a_crash_and_keeps_its_plan() {
    Flow<Order, String> flow = register(shop(1));
    RunHandle<String> run = hapax.start(flow, order("A"));
    run.await();
    ReplayPlan plan = plan(run, ReplayWish.from("charge").withOutput("price", "7"));
    hapax.close();
    reopen();
    assertThatThrownBy(() -> hapax.replays().apply(plan, "ada", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Register it first");
    hapax.register(flow);

    hapax.replays().apply(plan, "ada", null);
    crash(flow);

    hapax.handle(run.id(), String.class).await();
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1", "book-7");
  }

  @Test
  void another_release_and_a_corrected_input_go_on_with_the_same_effects() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();
    register(shop(2));
    price.set(2);
    ReplayWish wish = ReplayWish.ALL.onRelease(2).withInput("{\"id\":\"A\",\"total\":41}");

    assertThat(decisions(plan(run, wish))).containsExactly("charge changed", "book send");
    assertThat(replay(run, wish)).isEqualTo("r2");
    assertThat(hapax.run(run.id()).release()).isEqualTo(2);
    assertThat(world.arrivals()).containsExactly("charge-1", "book-1", "book-2");
    assertThatThrownBy(() -> plan(run, ReplayWish.ALL.withInput("{\"id\":\"B\",\"total\":41}")))
        .hasMessageContaining("gives key 'B'");
  }

  @Test
  void a_wrong_name_gets_the_steps_that_there_are() {
    RunHandle<String> run = hapax.start(register(shop(1)), order("A"));
    run.await();

    assertThatThrownBy(() -> plan(run, ReplayWish.from("chrage")))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Its steps: book, charge, price");
  }

  @Test
  void a_run_that_is_undone_or_under_way_or_forgotten_is_refused_with_what_to_do() {
    var sleeper = register(sleeping(Duration.ofDays(1)));
    RunHandle<Receipt> waits = hapax.start(sleeper, order("S"));
    assertThatThrownBy(() -> plan(waits, ReplayWish.ALL))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Cancel it first");
    Flow<Order, String> flow = register(shop(1));
    RunHandle<String> run = hapax.start(flow, order("A"));
    run.await();
    hapax.forget(flow, "A", "ada", "a test");
    assertThatThrownBy(() -> plan(run, ReplayWish.ALL))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("start the flow again");
  }

  @Test
  void an_item_of_a_loop_is_done_again_alone_with_what_follows_the_loop() {
    var flow =
        register(
            Flow.of("lines", Order.class, String.class)
                .key(Order::id)
                .body(
                    (run, order) -> {
                      run.forEach(
                          "all",
                          Each.of(List.of("x", "y"), one -> one),
                          (item, line) -> {
                            item.step("look", computed::incrementAndGet, Integer.class);
                            item.effect(
                                "ship",
                                Effect.create(order.id() + line).keyed().name("ship"),
                                key -> {
                                  world.apply("ship-" + line);
                                });
                          });
                      run.step("sum", price::incrementAndGet, Integer.class);
                      return "ok";
                    }));
    RunHandle<String> run = hapax.start(flow, order("A"));
    run.await();
    assertThatThrownBy(() -> plan(run, ReplayWish.from("look")))
        .hasMessageContaining("name the item too");

    ReplayPlan plan = plan(run, ReplayWish.from("look", "y"));

    assertThat(plan.items())
        .extracting(item -> item.item() + " " + item.decision().word())
        .containsExactlyInAnyOrder("x keep", "y reuse");
    int before = price.get();
    computed.set(0);
    hapax.replays().apply(plan, "ada", null); // it looks once more for the plan
    hapax.handle(run.id(), String.class).await();
    assertThat(computed).hasValue(2);
    assertThat(price.get()).isGreaterThan(before);
    assertThat(world.arrivals()).containsExactlyInAnyOrder("ship-x", "ship-y");
  }

  @Test
  void an_approval_keeps_its_answer_unless_it_is_asked_again() {
    var flow =
        register(
            Flow.of("asks", Order.class, String.class)
                .key(Order::id)
                .body(
                    (run, order) -> {
                      run.step("look", computed::incrementAndGet, Integer.class);
                      Decision said = run.approval("ok", Approval.ask("go on?"));
                      return said.decision().name();
                    }));
    RunHandle<String> run = hapax.start(flow, order("A"));
    approve();
    run.await();

    assertThat(replay(run, ReplayWish.ALL)).isEqualTo("APPROVE");
    ReplayWish again = ReplayWish.ALL.askAgain("ok");
    assertThat(plan(run, again).ends()).contains("waits for the decision of a person");
    hapax.replays().apply(plan(run, again), "ada", null);
    approve();
    assertThat(hapax.handle(run.id(), String.class).await()).isEqualTo("APPROVE");
  }

  private void approve() {
    eventually(() -> !hapax.approvals().list(hapax.approvals().open()).isEmpty());
    String id = hapax.approvals().list(hapax.approvals().open()).getFirst().id();
    hapax.approvals().decide(id, Verdict.approve("bob"));
  }
}
