package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.Message;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Code that changed under one release, or that decides by chance: noticed before it sends anything.
 */
class MovedCodeTest extends EngineTest {
  private static final Duration PAUSE = Duration.ofHours(1);
  private final World world = new World();

  private void mail(RunContext run, String step) {
    run.effect(step, Effect.notify(step).unguarded(), _ -> world.apply(step));
  }

  private static Flow<Order, Receipt> release(Flow.Body<Order, Receipt> body) {
    return orders("mails").body(body);
  }

  /** Runs the first code to its pause, and the second one from there. */
  private RunHandle<Receipt> startAndMove(
      Flow.Body<Order, Receipt> first, Flow.Body<Order, Receipt> second) {
    RunHandle<Receipt> run = hapax.start(register(release(first)), order("A"));
    awaitStatus(run, RunStatus.WAITING);
    crash(release(second));
    time.move(PAUSE);
    RunHandle<Receipt> again = hapax.handle(run.id(), Receipt.class);
    eventually(() -> again.run().status().isEnd());
    return again;
  }

  private void isRefused(RunHandle<Receipt> run, String... sent) {
    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(world.arrivals()).containsExactlyInAnyOrder(sent);
  }

  @Test
  void a_renamed_effect_is_noticed_before_it_is_sent() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> {
              mail(body, "mail");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            },
            (body, order) -> {
              mail(body, "message");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            });

    isRefused(run, "mail");
    assertThat(errorOf(run).message())
        .contains("holds step 'mail' as sent, but the code now reaches step 'message' without it");
    assertThat(errorOf(run).step()).isEqualTo("mail");
  }

  @Test
  void a_removed_effect_is_noticed_when_the_body_returns() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> {
              mail(body, "mail");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            },
            (body, order) -> {
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            });

    isRefused(run, "mail");
  }

  @Test
  void an_effect_that_moved_behind_a_new_one_is_noticed_before_the_new_one_is_sent() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> {
              mail(body, "mail");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            },
            (body, order) -> {
              mail(body, "new");
              mail(body, "mail");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            });

    isRefused(run, "mail");
  }

  @Test
  void a_random_branch_sends_one_of_its_mails() {
    var heads = new AtomicBoolean(true);
    Flow.Body<Order, Receipt> body =
        (run, order) -> {
          mail(run, heads.getAndSet(false) ? "heads" : "tails");
          run.sleep("pause", PAUSE);
          return new Receipt(order.id(), "");
        };

    isRefused(startAndMove(body, body), "heads");
  }

  @Test
  void a_random_branch_sends_one_of_its_mails_also_without_a_restart() {
    var stays = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            release(
                (run, order) -> {
                  mail(run, stays.incrementAndGet() < 6 ? "heads" : "tails");
                  for (int i = 0; i < 6; i++) {
                    run.sleep("pause-" + i, PAUSE);
                  }
                  return new Receipt(order.id(), "");
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    for (int i = 1; i < 6; i++) {
      int stay = i;
      eventually(() -> stays.get() == stay && hapax.run(run.id()).owner() == null);
      time.move(PAUSE);
    }
    eventually(() -> run.run().status().isEnd());

    isRefused(run, "heads");
  }

  @Test
  void a_random_branch_that_is_written_down_is_taken_again() {
    var heads = new AtomicBoolean(true);
    Flow.Body<Order, Receipt> body =
        (run, order) -> {
          mail(run, run.branch("toss", () -> heads.getAndSet(false) ? "heads" : "tails"));
          run.sleep("pause", PAUSE);
          return new Receipt(order.id(), "");
        };

    RunHandle<Receipt> run = startAndMove(body, body);

    assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactly("heads");
  }

  @Test
  void a_renamed_effect_in_a_branch_is_noticed_while_the_other_branch_goes_on() throws Exception {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> branches(body, order, "left", "right"),
            (body, order) -> branches(body, order, "left", "moved"));

    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(world.arrivals()).contains("left", "right").doesNotContain("moved");
  }

  private Receipt branches(RunContext body, Order order, String left, String right)
      throws Exception {
    body.parallel(
        List.of(
            one -> {
              mail(one, left);
              one.sleep("pause-left", PAUSE);
              mail(one, "left-2");
              return "";
            },
            two -> {
              mail(two, right);
              two.sleep("pause-right", PAUSE);
              return "";
            }));
    return new Receipt(order.id(), "");
  }

  @Test
  void branches_that_are_as_they_were_go_on_in_any_order() throws Exception {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> branches(body, order, "left", "right"),
            (body, order) -> branches(body, order, "left", "right"));

    assertThat(run.run().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).containsExactlyInAnyOrder("left", "right", "left-2");
  }

  @Test
  void a_renamed_effect_of_an_item_is_noticed_and_the_items_before_are_not_asked_again() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> loop(body, order, "ship"), (body, order) -> loop(body, order, "send"));

    assertThat(errorOf(run).code()).isEqualTo("journal-mismatch");
    assertThat(world.arrivals()).containsExactlyInAnyOrder("ship a", "ship b");
  }

  @Test
  void two_loops_over_the_same_items_share_their_journals_and_go_on() {
    Flow.Body<Order, Receipt> body =
        (run, order) -> {
          loop(run, order, "ship");
          run.forEach(
              "labels",
              Each.of(List.of("a", "b"), key -> key),
              (item, key) -> {
                mailItem(item, "label", key);
                item.sleep("dry", PAUSE);
                mailItem(item, "stick", key);
              });
          return new Receipt(order.id(), "");
        };
    RunHandle<Receipt> run = hapax.start(register(release(body)), order("A"));
    for (int i = 0; i < 3; i++) {
      awaitStatus(run, i < 2 ? RunStatus.WAITING : RunStatus.SUCCEEDED);
      if (i < 2) {
        crash(release(body));
        time.move(PAUSE);
        RunHandle<Receipt> found = hapax.handle(run.id(), Receipt.class);
        int sent = 2 * (i + 1);
        eventually(() -> world.arrivals().size() > sent || found.run().status().isEnd());
        run = found;
      }
    }

    assertThat(world.arrivals()).hasSize(6).doesNotHaveDuplicates();
  }

  private Receipt loop(RunContext body, Order order, String step) {
    body.forEach(
        "parcels",
        Each.of(List.of("a", "b"), key -> key),
        (item, key) -> {
          mailItem(item, step, key);
          item.sleep("pause", PAUSE);
        });
    return new Receipt(order.id(), "");
  }

  private void mailItem(RunContext item, String step, String key) {
    item.effect(step, Effect.notify(key).unguarded(), _ -> world.apply(step + " " + key));
  }

  @Test
  void an_inner_loop_goes_on_in_the_items_of_an_outer_one() {
    Flow.Body<Order, Receipt> body =
        (run, order) -> {
          run.forEach(
              "outer",
              Each.of(List.of("a", "b"), key -> key),
              (outer, key) -> {
                outer.forEach(
                    "inner",
                    Each.of(List.of("x/y", "x"), inner -> inner).atOnce(2),
                    (inner, part) -> {
                      inner.effect(
                          "pack",
                          Effect.notify(key + part).unguarded(),
                          _ -> world.apply("pack " + key + part));
                      inner.sleep("pause", part.equals("x") ? PAUSE : Duration.ofMinutes(1));
                      inner.effect(
                          "close",
                          Effect.notify(key + part).unguarded(),
                          _ -> world.apply("close " + key + part));
                    });
                mailItem(outer, "ship", key);
              });
          return new Receipt(order.id(), "");
        };
    RunHandle<Receipt> run = hapax.start(register(release(body)), order("A"));
    awaitStatus(run, RunStatus.WAITING);
    crash(release(body));
    time.move(Duration.ofMinutes(1));
    eventually(() -> world.arrivals().size() == 6);
    RunHandle<Receipt> found = hapax.handle(run.id(), Receipt.class);
    awaitStatus(found, RunStatus.WAITING);
    crash(release(body));
    time.move(PAUSE);
    RunHandle<Receipt> again = hapax.handle(run.id(), Receipt.class);
    eventually(() -> again.run().status().isEnd());

    assertThat(again.run().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(world.arrivals()).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void a_renamed_message_is_noticed_before_it_is_published_again() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> {
              body.publish("tell", Message.to("shop").type("paid").data(order.id()));
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            },
            (body, order) -> {
              body.publish("announce", Message.to("shop").type("paid").data(order.id()));
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            });

    isRefused(run);
  }

  @Test
  void a_body_that_throws_is_a_failure_of_its_own() {
    RunHandle<Receipt> run =
        startAndMove(
            (body, order) -> {
              mail(body, "mail");
              body.sleep("pause", PAUSE);
              return new Receipt(order.id(), "");
            },
            (body, order) -> {
              throw new IllegalStateException("no such shop");
            });

    assertThat(errorOf(run).code()).isEqualTo("error");
  }

  /** Mails the customer, or, if the total is large, a person first. */
  private final Flow<Order, Receipt> byTotal =
      release(
          (run, order) -> {
            mail(run, order.total() > 50 ? "manager" : "customer");
            if (order.total() == 0) {
              throw new IllegalStateException("nothing to pay");
            }
            return new Receipt(order.id(), "");
          });

  @Test
  void what_a_corrected_input_leaves_aside_is_listed_once() {
    RunHandle<Receipt> run = hapax.start(register(byTotal), new Order("A", 0));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann", byTotal, new Order("A", 60));
    run.await();

    assertThat(world.arrivals()).containsExactly("customer", "manager");
    List<HistoryEntry> left =
        hapax.history(run.id()).stream().filter(e -> e.type().equals("left-behind")).toList();
    assertThat(left).hasSize(1);
    assertThat(left.getFirst().step()).isEqualTo("customer");
    assertThat(left.getFirst().key()).isEqualTo("customer");
    assertThat(left.getFirst().state()).isEqualTo("done");
    assertThat(left.getFirst().effect()).isEqualTo(effectOf("customer").id());
  }

  private EffectRecord effectOf(String key) {
    return hapax.effects(hapax.effects()).stream()
        .filter(effect -> effect.key().key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void what_a_corrected_input_reaches_again_is_not_listed() {
    RunHandle<Receipt> run = hapax.start(register(byTotal), new Order("A", 0));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann", byTotal, new Order("A", 10));
    run.await();

    assertThat(types(run)).doesNotContain("left-behind");
  }

  @Test
  void a_step_that_succeeds_after_a_retry_may_lead_past_what_was_sent_in_its_place() {
    var broken = new AtomicBoolean(true);
    var flow =
        register(
            release(
                (run, order) -> {
                  try {
                    run.step(
                        "ask",
                        () -> {
                          if (broken.get()) {
                            throw new IllegalStateException("closed");
                          }
                          return "open";
                        },
                        String.class);
                  } catch (StepFailed e) {
                    mail(run, "apology");
                    throw e;
                  }
                  mail(run, "thanks");
                  return new Receipt(order.id(), "");
                }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);

    broken.set(false);
    hapax.retry(run.id(), "ann");
    run.await();

    assertThat(world.arrivals()).containsExactly("apology", "thanks");
    assertThat(entry(run, "left-behind").step()).isEqualTo("apology");
  }
}
