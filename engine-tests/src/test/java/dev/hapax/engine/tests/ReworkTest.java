package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunHandle;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Work that people send back: rounds, their steps, and what they do to effects. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class ReworkTest extends EngineTest {
  private final List<String> world = new CopyOnWriteArrayList<>();
  private final ConcurrentMap<Integer, String> tokens = new ConcurrentHashMap<>();

  record Text(String text) {}

  private static String textOf(@Nullable Decision rework) {
    Text edited = rework == null ? null : rework.values(Text.class);
    return edited == null ? "first draft" : edited.text();
  }

  /** Puts a page, makes a ticket, notifies the editor, and asks; up to three rounds. */
  private Flow<Order, Receipt> publishing() {
    return orders("publishing")
        .body(
            (run, order) -> {
              Decision decision =
                  run.rounds("release", 3, (round, rework) -> work(round, order, textOf(rework)));
              return new Receipt(order.id(), decision.decision().word());
            });
  }

  private Approval work(RunContext round, Order order, String text) {
    String seen = round.step("render", () -> text.toUpperCase(Locale.ROOT), String.class);
    round.effect(
        "page",
        Effect.update(order.id()).request(new Text(seen)).upsert(),
        (_, request) -> {
          world.add("put " + request.text());
        });
    round.effect(
        "ticket",
        Effect.create(order.id()).request(new Text(seen)).keyed(),
        (_, request) -> {
          world.add("create " + request.text());
        });
    round.effect(
        "tell", Effect.notify(order.id()).unguarded(), _ -> world.add("notify"), Boolean.class);
    return Approval.ask("Publish '" + seen + "'?");
  }

  private String token(int round) {
    return Objects.requireNonNull(tokens.get(round));
  }

  private Approvals.Item open(int round) {
    eventually(
        () ->
            hapax.approvals().list(hapax.approvals().open()).stream()
                .anyMatch(item -> item.round() == round));
    return hapax.approvals().list(hapax.approvals().open()).getFirst();
  }

  private void rework(int round, String text) {
    hapax
        .approvals()
        .decide(open(round).id(), Verdict.rework("ann", "please").values(new Text(text)));
  }

  @Test
  void a_changed_update_is_sent_again_and_a_create_or_notify_is_not() {
    RunHandle<Receipt> run = hapax.start(register(publishing()), order("A"));

    rework(1, "second draft");
    rework(2, "second draft");
    assertThat(open(3).ask()).isEqualTo("Publish 'SECOND DRAFT'?");
    hapax.approvals().decide(open(3).id(), Verdict.approve("ann"));

    assertThat(run.await().key()).isEqualTo("approve");
    assertThat(world)
        .containsExactly("put FIRST DRAFT", "create FIRST DRAFT", "notify", "put SECOND DRAFT");
    HistoryEntry ticket =
        hapax.history(run.id()).stream()
            .filter(line -> line.type().equals("reused") && "ticket".equals(line.step()))
            .findFirst()
            .orElseThrow();
    assertThat(ticket.round()).isEqualTo(2);
    assertThat(ticket.decision()).contains("the content differs and was not sent");
  }

  @Test
  void rounds_survive_a_crash_after_every_one_of_them() {
    RunHandle<Receipt> run = hapax.start(register(publishing()), order("A"));
    rework(1, "two");
    open(2);
    crash(publishing());
    rework(2, "three");
    open(3);
    crash(publishing());
    hapax.approvals().decide(open(3).id(), Verdict.approve("ann"));

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world)
        .containsExactly("put FIRST DRAFT", "create FIRST DRAFT", "notify", "put TWO", "put THREE");
  }

  @Test
  void after_the_last_round_a_rework_is_refused() {
    RunHandle<Receipt> run = hapax.start(register(publishing()), order("A"));
    rework(1, "two");
    rework(2, "three");

    assertThatThrownBy(() -> rework(3, "four"))
        .isInstanceOf(NotPossible.class)
        .hasMessageContaining("round 3 was its last");

    hapax.approvals().decide(open(3).id(), Verdict.reject("ann"));
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("rejected");
  }

  @Test
  void a_retry_after_a_rejection_goes_on_in_the_same_round() {
    RunHandle<Receipt> run = hapax.start(register(publishing()), order("A"));
    rework(1, "two");
    hapax.approvals().decide(open(2).id(), Verdict.reject("ann"));
    awaitStatus(run, RunStatus.FAILED);

    hapax.retry(run.id(), "ann");
    hapax.approvals().decide(open(2).id(), Verdict.approve("bob"));

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world).endsWith("put TWO");
  }

  @Test
  void a_failed_step_of_a_later_round_is_settled_by_hand() {
    var flow =
        register(
            orders("clumsy")
                .body(
                    (run, order) -> {
                      run.rounds(
                          "release",
                          2,
                          (round, rework) -> {
                            round.step(
                                "check",
                                () -> {
                                  if (rework != null) {
                                    throw new IllegalStateException("cannot");
                                  }
                                  return "ok";
                                },
                                String.class);
                            return Approval.ask("ok?");
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    rework(1, "again");
    awaitStatus(run, RunStatus.FAILED);

    hapax.settleStep(run.id(), "check", null, "by hand", "seen", "ann");
    hapax.approvals().decide(open(2).id(), Verdict.approve("ann"));

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(entry(run, "step-settled").round()).isEqualTo(2);
  }

  /** Hands its token to an order that is made once, and to a page if the test wants it. */
  private Flow<Order, Receipt> paying(boolean inPage) {
    return orders("paying")
        .body(
            (run, order) -> {
              var paid = new StringBuilder();
              run.rounds(
                  "release",
                  3,
                  (round, rework) -> {
                    String token = round.callback("paid");
                    int number = rework == null ? 1 : 2;
                    tokens.put(number, token);
                    round.effect(
                        "order",
                        Effect.create(order.id()).request(new Text(token)).keyed(),
                        (_, _) -> {
                          world.add("order");
                        });
                    round.effect(
                        "page",
                        Effect.update(order.id())
                            .request(new Text(inPage ? token : "page " + number))
                            .upsert(),
                        (_, _) -> {
                          world.add("page");
                        });
                    paid.append(round.awaitCallback("paid", String.class)).append(' ');
                    return Approval.ask("ok?");
                  });
              return new Receipt(order.id(), paid.toString());
            });
  }

  @Test
  void a_callback_whose_token_went_out_in_a_reused_effect_keeps_its_first_answer() {
    RunHandle<Receipt> run = hapax.start(register(paying(false)), order("A"));
    awaitReleased(run);
    hapax.callbacks().answer(token(1), "once");
    rework(1, "again");

    hapax.approvals().decide(open(2).id(), Verdict.approve("ann"));

    assertThat(run.await().key()).isEqualTo("once once ");
    assertThat(token(2)).isNotEqualTo(token(1));
    assertThat(hapax.history(run.id()))
        .anyMatch(
            line ->
                line.type().equals("callback-awaited")
                    && Integer.valueOf(2).equals(line.round())
                    && String.valueOf(line.decision()).contains("earlier round's token"));
  }

  @Test
  void a_callback_whose_token_went_out_again_has_an_answer_of_its_own() {
    RunHandle<Receipt> run = hapax.start(register(paying(true)), order("A"));
    awaitReleased(run);
    hapax.callbacks().answer(token(1), "first");
    rework(1, "again");
    eventually(() -> tokens.containsKey(2));
    awaitStatus(run, RunStatus.WAITING);
    assertThat(hapax.callbacks().answer(token(1), "changed").isFirst()).isFalse();

    hapax.callbacks().answer(token(2), "second");
    hapax.approvals().decide(open(2).id(), Verdict.approve("ann"));

    assertThat(run.await().key()).isEqualTo("first second ");
  }

  @Test
  void rounds_inside_rounds_are_refused() {
    var flow =
        register(
            orders("nested")
                .body(
                    (run, order) -> {
                      run.rounds(
                          "outer",
                          2,
                          (round, _) -> {
                            round.rounds("inner", 2, (_, _) -> Approval.ask("inner?"));
                            return Approval.ask("outer?");
                          });
                      return new Receipt(order.id(), "");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));

    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).message()).contains("are inside other rounds");
  }

  @Test
  void items_and_rounds_go_together() {
    var flow =
        register(
            orders("items")
                .body(
                    (run, order) -> {
                      for (String item : List.of("a", "b")) {
                        run.item(item)
                            .rounds(
                                "release",
                                2,
                                (round, rework) -> {
                                  round.step("do", () -> world.add(item), Boolean.class);
                                  return Approval.ask(item + "?");
                                });
                      }
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    rework(1, "again");
    hapax.approvals().decide(open(2).id(), Verdict.approve("ann"));
    eventually(() -> world.contains("b"));
    hapax.approvals().decide(open(1).id(), Verdict.approve("ann"));

    assertThat(run.await().key()).isEqualTo("done");
    assertThat(world).containsExactly("a", "a", "b");
  }

  @Test
  void a_loop_inside_a_round_is_done_again_in_the_next() {
    var flow =
        register(
            orders("loops")
                .body(
                    (run, order) -> {
                      run.rounds(
                          "release",
                          2,
                          (round, rework) -> {
                            int number = rework == null ? 1 : 2;
                            round.forEach(
                                "all",
                                Each.of(List.of("a", "b"), one -> one).atOnce(1),
                                (item, one) ->
                                    item.step("do", () -> world.add(one + number), Boolean.class));
                            return Approval.ask("ok?");
                          });
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    rework(1, "again");
    hapax.approvals().decide(open(2).id(), Verdict.approve("ann"));

    assertThat(run.await().key()).isEqualTo("done");
    assertThat(world).containsExactly("a1", "b1", "a2", "b2");
  }
}
