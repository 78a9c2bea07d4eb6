package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.JobRequest;
import dev.hapax.RunHandle;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Job;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.JobState;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a replay must not do, as the simulation found it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayRefusalsTest extends EngineTest {
  private final World world = new World();
  private final AtomicBoolean asksStore = new AtomicBoolean();

  /** Two updates of one object; the second has an older version. */
  private Flow<Order, String> updates(List<Boolean> stale) {
    return Flow.of("updates", Order.class, String.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              run.effect(
                  "newer",
                  Effect.update(order.id()).version(3).request("new").upsert().name("object"),
                  (_, content) -> {
                    world.apply(content);
                  });
              run.effect(
                  "older",
                  Effect.update(order.id()).version(2).request("old").upsert().name("object"),
                  (_, content) -> {
                    world.apply(content);
                  });
              stale.add(run.outcome("older").stale());
              return "ok";
            });
  }

  @Test
  void an_update_that_was_too_old_is_too_old_in_a_replay_too() {
    List<Boolean> stale = new ArrayList<>();
    RunHandle<String> run = hapax.start(register(updates(stale)), order("A"));
    run.await();

    ReplayPlan plan = hapax.replays().plan(run.id(), ReplayWish.ALL);
    hapax.replays().apply(plan, "ada", "a test");
    hapax.handle(run.id(), String.class).await();

    assertThat(plan.items().getLast().note()).contains("stale");
    assertThat(stale).doesNotContain(false);
    assertThat(world.arrivals()).containsExactly("new");
  }

  private Flow<Order, String> twice(UnaryOperator<String> content) {
    return Flow.of("twice", Order.class, String.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              for (String step : List.of("first", "second")) {
                run.effect(
                    step,
                    Effect.update(order.id()).request(content.apply(step)).upsert().name("object"),
                    (_, sent) -> {
                      world.apply(sent);
                    });
              }
              return "ok";
            });
  }

  @Test
  void a_forced_update_is_sent_by_the_step_that_made_it_and_not_by_one_before() {
    RunHandle<String> run = hapax.start(register(twice(step -> step)), order("A"));
    run.await();
    EffectRecord row = hapax.effects(EffectFilter.of("default")).getFirst();
    ReplayWish wish = ReplayWish.ALL.forcing(row.id(), "the destination lost it");

    ReplayPlan plan = hapax.replays().plan(run.id(), wish);
    hapax.replays().apply(plan, "ada", "a test");
    hapax.handle(run.id(), String.class).await();

    assertThat(plan.items())
        .extracting(item -> item.step() + " " + item.decision().word())
        .containsExactly("first keep", "second send");
    assertThat(world.arrivals()).containsExactly("first", "second", "second");
  }

  @Test
  void a_read_that_the_store_refuses_is_no_plan() {
    for (String where : List.of("body", "item", "caught", "step")) {
      RunHandle<String> run = hapax.start(register(reading(where)), order(where));
      run.await();
      asksStore.set(true);
      process.beforeRead(
          method -> {
            if (method.equals("effect")) {
              throw new StoreUnavailable("no answer", null);
            }
          });

      assertThatThrownBy(() -> hapax.replays().plan(run.id(), ReplayWish.ALL))
          .as(where)
          .isInstanceOf(StoreUnavailable.class);

      process.beforeRead(_ -> {});
      asksStore.set(false);
      assertThat(hapax.replays().plan(run.id(), ReplayWish.ALL).totals().reuse()).isEqualTo(1);
    }
  }

  /** Sends one effect in the body, in an item, or where the body catches what is thrown. */
  private Flow<Order, String> reading(String where) {
    return Flow.of("reading-" + where, Order.class, String.class)
        .key(Order::id)
        .body(
            (run, order) -> {
              if (where.equals("step")) {
                run.step("ask", this::askStore, String.class);
              }
              switch (where) {
                case "item" ->
                    run.forEach(
                        "each",
                        Each.of(List.of("one"), one -> one),
                        (item, _) -> send(item, order.id()));
                case "caught" -> {
                  try {
                    send(run, order.id());
                  } catch (RuntimeException e) {
                    return "went another way";
                  }
                }
                default -> send(run, order.id());
              }
              return "ok";
            });
  }

  private String askStore() {
    if (asksStore.get()) {
      throw new IllegalStateException(new StoreUnavailable("no answer", null));
    }
    return "asked";
  }

  private void send(RunContext run, String key) {
    run.effect(
        "send",
        Effect.create(key).keyed().name("read"),
        wireKey -> {
          world.apply(wireKey);
        });
  }

  @Test
  void a_run_that_its_plan_has_stopped_stays_so_after_a_crash() {
    var looks = new AtomicInteger();
    Flow<Order, String> late =
        Flow.of("late", Order.class, String.class)
            .key(Order::id)
            .body(
                (it, order) -> {
                  if (it.step("look", looks::incrementAndGet, Integer.class) > 2) {
                    send(it, order.id());
                  }
                  return "ok";
                });
    RunHandle<String> run = hapax.start(register(late), order("A"));
    run.await();
    ReplayPlan plan = hapax.replays().plan(run.id(), ReplayWish.ALL); // the second look
    looks.set(1);
    process.beforeCommit(
        batch -> {
          if (MortalStore.writes(batch, "claimed")) {
            process.commitOf(batch);
            process.die();
            throw new StoreBroken("the process ends before it has the answer", null);
          }
        });
    hapax.replays().apply(plan, "ada", null); // plans once more, and then looks a third time
    eventually(process::isDead);
    crash();
    hapax.start(register(reading("body")), order("A")).await();

    register(late);

    eventually(() -> hapax.run(run.id()).status().isEnd());
    assertThat(hapax.run(run.id()).error()).extracting(Failure::code).isEqualTo("plan-stale");
    assertThat(world.count()).isEqualTo(1);
    hapax.retry(run.id(), "ada");
    hapax.handle(run.id(), String.class).await();
    assertThat(world.count()).isEqualTo(1);
  }

  @Test
  void a_canceled_run_asks_again_in_items_that_a_replay_leaves_alone() {
    var flow =
        register(
            Flow.of("asks", Order.class, String.class)
                .key(Order::id)
                .body(
                    (run, order) -> {
                      run.forEach(
                          "each",
                          Each.of(List.of("a", "b"), one -> one),
                          (item, one) -> {
                            send(item, order.id() + one);
                            item.approval("ok", Approval.ask("is " + one + " right?"));
                          });
                      return "ok";
                    }));
    RunHandle<String> run = hapax.start(flow, order("A"));
    eventually(() -> hapax.approvals().list(hapax.approvals().open()).size() == 2);
    hapax.cancel(run.id(), "ada", "not now");
    eventually(() -> hapax.run(run.id()).status() == RunStatus.CANCELED);

    hapax
        .replays()
        .apply(hapax.replays().plan(run.id(), ReplayWish.from("send", "a")), "ada", "a test");

    eventually(() -> hapax.approvals().list(hapax.approvals().open()).size() == 2);
    assertThat(world.count()).isEqualTo(2);
  }

  private Flow<Order, String> points(String name) {
    return Flow.of(name, Order.class, String.class)
        .key(Order::id)
        .body(
            (run, _) -> {
              run.effect(
                  "add",
                  Effect.additive("account").keyed().name("points"),
                  key -> {
                    world.apply(key);
                  });
              return "ok";
            });
  }

  @Test
  void an_additive_effect_of_another_run_does_not_force_the_runs_own() {
    RunHandle<String> mine = hapax.start(register(points("mine")), order("A"));
    RunHandle<String> other = hapax.start(register(points("other")), order("A"));
    mine.await();
    other.await();
    EffectRecord theirs =
        hapax.effects(EffectFilter.of("default").state(EffectState.DONE)).stream()
            .filter(row -> other.id().equals(String.valueOf(row.key().additiveRun())))
            .findFirst()
            .orElseThrow();

    assertThatThrownBy(
            () ->
                hapax
                    .replays()
                    .plan(mine.id(), ReplayWish.ALL.forcing(theirs.id(), "it was too little")))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("belongs to run " + other.id());
    assertThat(world.count()).isEqualTo(2);
  }

  @Test
  void a_run_of_hapax_itself_is_not_replayed() {
    Job job = hapax.jobs().start(JobRequest.retry(JobSelection.everything(), "ada"));
    moveUntil(Duration.ofMillis(500), () -> hapax.jobs().job(job.id()).state() == JobState.DONE);
    Run turn = process.runs(RunFilter.of("default").flow("hapax/job")).getFirst();

    assertThatThrownBy(() -> hapax.replays().plan(turn.id().toString(), ReplayWish.ALL))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("works for Hapax itself");
  }

  @Test
  void a_run_that_has_expired_says_what_to_do_instead_of_a_replay() {
    Flow<Order, String> brief =
        Flow.of("brief", Order.class, String.class)
            .key(Order::id)
            .retention(Duration.ofMinutes(1))
            .body((run, _) -> run.step("count", () -> "counted", String.class));
    RunHandle<String> run = hapax.start(register(brief), order("A"));
    run.await();
    ReplayPlan plan = hapax.replays().plan(run.id(), ReplayWish.ALL);
    moveUntil(Duration.ofMinutes(10), () -> process.runs(RunFilter.of("default")).isEmpty());

    assertThatThrownBy(() -> hapax.replays().plan(run.id(), ReplayWish.ALL))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("its journal is gone");
    assertThatThrownBy(() -> hapax.replays().apply(plan, "ada", null))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("Start its flow under another key");
  }

  private Flow<Order, String> hostile(RunContext.Branch<String> rest) {
    return register(
        Flow.of("hostile", Order.class, String.class)
            .key(Order::id)
            .body((run, _) -> run.step("plain", () -> "ok", String.class) + rest.run(run)));
  }

  @Test
  void a_body_that_catches_every_error_is_not_planned_for_ever() {
    RunHandle<String> run =
        hapax.start(
            hostile(
                context -> {
                  String sent = null;
                  while (sent == null) {
                    try {
                      sent =
                          context.effect(
                              "send", Effect.create("K").keyed(), world::apply, String.class);
                    } catch (Throwable e) { // as a careless body does
                      sent = null;
                    }
                  }
                  return sent;
                }),
            order("A"));
    run.await();
    EffectRecord row = hapax.effects(EffectFilter.of("default")).getFirst();
    ReplayWish wish = ReplayWish.ALL.forcing(row.id(), "lost");

    assertThatThrownBy(() -> hapax.replays().plan(run.id(), wish))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("step 'send' catches Throwable or Error");
  }

  @Test
  void a_body_that_needs_too_much_stack_is_skipped_with_the_reason() {
    var isDeep = new AtomicBoolean();
    RunHandle<String> run = hapax.start(hostile(_ -> isDeep.get() ? deep(0) : ""), order("A"));
    run.await();
    isDeep.set(true);

    Job job =
        hapax
            .jobs()
            .planNow(JobRequest.replay(JobSelection.of(List.of(run.id())), ReplayWish.ALL, "ada"));

    assertThat(job.skipped()).isEqualTo(1);
    assertThat(hapax.replays().planned(job.id(), null, 0, 10).getFirst().problem())
        .contains("its body needs more stack than there is");
  }

  /** Deeper than any stack; the depth only ends where no stack reaches. */
  private static String deep(int depth) {
    return depth == Integer.MAX_VALUE ? "" : deep(depth + 1) + depth;
  }
}
