package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Courier;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Message;
import dev.hapax.flow.OnFailed;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.Repetition;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A replay publishes and starts only what its plan names, and its plan looks into rounds. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ReplayedStartsTest extends EngineTest {
  private final World world = new World();
  private final AtomicInteger looks = new AtomicInteger();
  private final List<OutgoingMessage> arrived = Collections.synchronizedList(new ArrayList<>());
  private boolean refuses = true;

  /** The plan looks once, the plan before it is applied a second time, and the run a third time. */
  private static final int BY_THE_RUN = 3;

  private int goesOnFrom;

  private final Flow<Order, String> child =
      Flow.of("child", Order.class, String.class)
          .key(order -> "of/" + order.id())
          .body(
              (run, order) -> {
                run.effect(
                    "ship",
                    Effect.create(order.id()).keyed().name("ship"),
                    _ -> {
                      world.apply("ship");
                    });
                return "shipped";
              });

  /** What a flow does after its first effect. */
  private interface Rest {
    void run(RunContext run, Order order, int looked) throws Exception;
  }

  private Flow<Order, String> parent(Rest rest) {
    hapax.outbox().courier("shop", (Courier) arrived::add);
    register(child);
    return register(
        Flow.of("parent", Order.class, String.class)
            .key(Order::id)
            .body(
                (run, order) -> {
                  int looked = run.step("look", looks::incrementAndGet, Integer.class);
                  run.effect(
                      "first",
                      Effect.create(order.id()).request(1).keyed().name("first"),
                      (_, _) -> {
                        if (refuses) {
                          throw new Rejected("no", "not now");
                        }
                        world.apply("first");
                      });
                  if (looked >= goesOnFrom) {
                    rest.run(run, order, looked);
                  }
                  return "ok";
                }));
  }

  private RunHandle<String> failed(Rest rest) {
    RunHandle<String> run = hapax.start(parent(rest), order("A"));
    end(run);
    assertThat(run.run().status()).isEqualTo(RunStatus.FAILED);
    refuses = false;
    looks.set(0);
    return run;
  }

  private void end(RunHandle<?> run) {
    moveUntil(Duration.ofSeconds(1), () -> hapax.run(run.id()).status().isEnd());
  }

  private ReplayPlan replay(RunHandle<?> run) {
    ReplayPlan plan = hapax.replays().plan(run.id(), ReplayWish.ALL);
    hapax.replays().apply(plan, "ada", "a test");
    end(run);
    return plan;
  }

  private static List<String> said(ReplayPlan plan) {
    return plan.items().stream()
        .map(item -> item.step() + " " + item.type().word() + " " + item.decision().word())
        .toList();
  }

  private void isStale(RunHandle<?> run, String what) {
    assertThat(hapax.run(run.id()).error())
        .satisfies(error -> assertThat(error.code()).isEqualTo("plan-stale"))
        .satisfies(error -> assertThat(error.message()).contains(what, "nothing was sent"));
  }

  @Test
  void a_plan_names_the_messages_and_runs_that_begin_and_apply_begins_these() {
    RunHandle<String> run =
        failed(
            (context, order, _) -> {
              context.publish("tell", Message.to("shop").type("paid").data(order));
              context.spawn("other", child, new Order("B", 1));
              assertThat(context.call("ask", child, order)).isEqualTo("shipped");
            });

    ReplayPlan plan = replay(run);
    ReplayPlan again = replay(run);

    assertThat(said(plan))
        .containsExactly(
            "first effect send", "tell message send", "other run send", "ask run send");
    assertThat(plan.totals().send()).isEqualTo(4);
    assertThat(plan.items().get(1).request()).contains("\"type\":\"paid\"");
    assertThat(plan.items().get(3).note()).contains("its effects are not in this plan");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(said(again))
        .containsExactly(
            "other run keep", "first effect reuse", "tell message reuse", "ask run reuse");
    eventually(() -> arrived.size() == 1);
    assertThat(world.arrivals()).containsExactlyInAnyOrder("first", "ship", "ship");
  }

  @Test
  void a_message_that_the_plan_does_not_have_is_not_published() {
    goesOnFrom = BY_THE_RUN;
    RunHandle<String> run =
        failed((context, _, _) -> context.publish("tell", Message.to("shop").type("paid")));

    ReplayPlan plan = replay(run);

    assertThat(said(plan)).containsExactly("first effect send");
    isStale(run, "a message to 'shop'");
    assertThat(arrived).isEmpty();
    hapax.retry(run.id(), "ada");
    end(run);
    eventually(() -> arrived.size() == 1);
  }

  @Test
  void a_message_with_another_content_than_the_plan_shows_is_not_published() {
    RunHandle<String> run =
        failed(
            (context, _, looked) ->
                context.publish(
                    "tell", Message.to("shop").type("paid").data(looked >= BY_THE_RUN)));

    replay(run);

    isStale(run, "with another content than the plan of the replay shows");
    assertThat(arrived).isEmpty();
  }

  @Test
  void a_run_that_the_plan_does_not_have_is_neither_called_nor_started() {
    goesOnFrom = BY_THE_RUN;
    RunHandle<String> run =
        failed(
            (context, order, _) -> {
              if (order.total() > 0) {
                context.call("ask", child, order);
              }
            });
    replay(run);
    isStale(run, "a run of flow 'child' with key 'of/A'");

    assertThat(hapax.runs(RunFilter.of("default").flow("child"))).isEmpty();
    assertThat(world.arrivals()).containsExactly("first");
    hapax.retry(run.id(), "ada");
    end(run);
    assertThat(world.arrivals()).containsExactly("first", "ship");
  }

  @Test
  void a_run_that_is_not_awaited_is_not_started_either() {
    goesOnFrom = BY_THE_RUN;
    RunHandle<String> run = failed((context, order, _) -> context.spawn("other", child, order));

    replay(run);

    isStale(run, "a run of flow 'child' with key 'of/A'");
    assertThat(hapax.runs(RunFilter.of("default").flow("child"))).isEmpty();
  }

  @Test
  void a_failed_run_that_a_call_lets_go_on_is_in_the_plan_as_sent() {
    var failing = new AtomicInteger(1);
    Flow<Order, String> inner =
        register(
            Flow.of("inner", Order.class, String.class)
                .key(order -> "of/" + order.id())
                .body(
                    (run, order) -> {
                      run.effect(
                          "part",
                          Effect.create(order.id()).keyed().name("part"),
                          _ -> {
                            if (failing.getAndDecrement() > 0) {
                              throw new Rejected("no", "not now");
                            }
                            world.apply("part");
                          });
                      return "done";
                    }));
    end(hapax.start(inner, order("A")));
    RunHandle<String> run =
        failed((context, order, _) -> context.call("ask", inner, null, order, OnFailed.RETRY));

    ReplayPlan plan = replay(run);

    assertThat(said(plan)).containsExactly("first effect send", "ask run send");
    assertThat(plan.items().getLast().note()).contains("go on, which is failed");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactly("first", "part");
  }

  @Test
  void a_plan_looks_into_the_rounds_that_have_not_ended() {
    RunHandle<String> run =
        failed(
            (context, order, _) ->
                context.repeat(
                    "rounds",
                    3,
                    (round, index, before) -> {
                      round.effect(
                          "ship",
                          Effect.create(order.id() + index).request(index).keyed().name("part"),
                          (_, number) -> {
                            world.apply("part-" + number);
                          });
                      return new Repetition<>(index, index == 1);
                    },
                    Integer.class));

    ReplayPlan plan = replay(run);

    assertThat(plan.items()).extracting(ReplayPlan.Item::key).containsExactly("A", "A0", "A1");
    assertThat(plan.items()).extracting(ReplayPlan.Item::request).containsExactly("1", "0", "1");
    assertThat(hapax.run(run.id()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactly("first", "part-0", "part-1");
  }
}
