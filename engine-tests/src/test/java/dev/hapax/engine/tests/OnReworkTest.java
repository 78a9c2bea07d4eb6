package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Approvals;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.Each;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.Undo;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code onRework} does to a create whose content changes from round to round. */
@SuppressWarnings("MemberName") // the names of tests are sentences
final class OnReworkTest extends SagaTest {
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final Set<String> applied = ConcurrentHashMap.newKeySet();

  record Text(String text) {}

  private static String textOf(@Nullable Decision rework) {
    Text edited = rework == null ? null : rework.values(Text.class);
    return edited == null ? "one" : edited.text();
  }

  /** Makes an invoice and asks; a rework can change its text. It ends with the last invoice. */
  private Flow<Order, Receipt> invoicing(OnRework onRework) {
    return invoicing(onRework, false);
  }

  private Flow<Order, Receipt> invoicing(OnRework onRework, boolean failsAtEnd) {
    return trips()
        .body(
            (run, order) -> {
              String[] made = {""};
              run.rounds(
                  "release",
                  4,
                  (round, rework) -> {
                    made[0] = invoice(round, order, onRework, textOf(rework));
                    return Approval.ask("Send " + made[0] + "?");
                  });
              if (failsAtEnd) {
                throw new IllegalStateException("no money");
              }
              return new Receipt(order.id(), made[0]);
            });
  }

  private String invoice(RunContext run, Order order, OnRework onRework, String text) {
    return run.effect(
        "invoice",
        Effect.create(order.id())
            .request(new Text(text))
            .onRework(onRework)
            .keyed()
            .name("invoice")
            .externalId(String.class, made -> "id of " + made)
            .compensate(String.class, made -> Undo.unguarded(_ -> send("undo " + made))),
        (key, request) -> {
          keys.add(key);
          return applied.add(key)
              ? send("invoice " + request.text())
              : "invoice " + request.text() + "-1";
        },
        String.class);
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

  private void approve(int round) {
    hapax.approvals().decide(open(round).id(), Verdict.approve("ann"));
  }

  /** The effect that waits for a person. */
  private EffectRecord reviewed() {
    eventually(() -> !hapax.effects(hapax.effects().state(EffectState.REVIEW)).isEmpty());
    return effect(EffectState.REVIEW);
  }

  @Test
  void without_a_word_the_first_one_is_reused() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REUSE)), order("A"));
    rework(1, "two");
    approve(2);

    assertThat(run.await().key()).isEqualTo("invoice one-1");
    assertThat(world).containsExactly("invoice one");
    assertThat(entry(run, "reused").decision()).contains("the content differs and was not sent");
  }

  @Test
  void a_person_keeps_what_was_sent() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVIEW)), order("A"));
    rework(1, "two");
    EffectRecord asked = reviewed();
    assertThat(asked.revision()).isEqualTo(1);
    assertThat(asked.evidence()).contains("other content");
    awaitStatus(run, RunStatus.REVIEW);

    hapax.settle(asked.id(), Settlement.happened(null, "good enough", "ann"));
    approve(2);

    assertThat(run.await().key()).isEqualTo("invoice one-1");
    assertThat(world).containsExactly("invoice one");
    assertThat(effect("invoice").state()).isEqualTo(EffectState.DONE);
    assertThat(effect("invoice").externalId()).isEqualTo("id of invoice one-1");
    HistoryEntry line = entry(run, "review-first");
    assertThat(line.round()).isEqualTo(2);
    assertThat(line.decision()).contains("happened").contains("not-happened");
  }

  @Test
  void a_person_who_says_that_it_is_not_there_has_the_next_revision_sent() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVIEW, true)), order("A"));
    rework(1, "two");
    hapax.settle(reviewed().id(), Settlement.notHappened("I deleted it", "ann"));
    approve(2);

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world)
        .as("what the person deleted is not undone")
        .containsExactly("invoice one", "invoice two", "undo invoice two-1");
    assertThat(Set.copyOf(keys)).hasSize(2);
    assertThat(effect("invoice").revision()).isEqualTo(2);
  }

  @Test
  void a_person_who_abandons_it_fails_the_step_and_leaves_what_was_sent() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVIEW, false)), order("A"));
    rework(1, "two");
    hapax.settle(reviewed().id(), Settlement.abandon("nobody knows", "ann"));

    awaitStatus(run, RunStatus.COMPENSATED); // its flow undoes what it did
    assertThat(errorOf(run).code()).isEqualTo("effect-abandoned");
    assertThat(world).containsExactly("invoice one", "undo invoice one-1");
  }

  @Test
  void equal_content_asks_nobody() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVIEW)), order("A"));
    rework(1, "one");
    approve(2);

    assertThat(run.await().key()).isEqualTo("invoice one-1");
    assertThat(world).containsExactly("invoice one");
  }

  @Test
  void a_revision_undoes_what_was_sent_and_sends_the_new_content() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVISE)), order("A"));
    rework(1, "two");
    rework(2, "two");
    rework(3, "one");
    approve(4);

    assertThat(run.await().key()).isEqualTo("invoice one-1");
    assertThat(world)
        .containsExactly(
            "invoice one",
            "undo invoice one-1",
            "invoice two",
            "undo invoice two-1",
            "invoice one");
    assertThat(Set.copyOf(keys)).as("each revision has its own key").hasSize(3);
    assertThat(effect("invoice").revision()).isEqualTo(3);
    assertThat(types(run)).contains("undo-first");
  }

  @Test
  void a_compensation_undoes_only_the_last_revision() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVISE, true)), order("A"));
    rework(1, "two");
    approve(2);

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world)
        .containsExactly("invoice one", "undo invoice one-1", "invoice two", "undo invoice two-1");
    assertThat(state("invoice")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void nothing_new_is_sent_while_the_undo_is_in_doubt() {
    trouble.put("undo invoice one-1", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVISE)), order("A"));
    rework(1, "two");
    EffectRecord undo = reviewed();
    assertThat(undo.key().name()).isEqualTo("invoice.undo");
    assertThat(state("invoice")).isEqualTo(EffectState.UNDOING);
    awaitStatus(run, RunStatus.REVIEW);
    crash(invoicing(OnRework.REVISE));
    assertThat(world).containsExactly("invoice one");

    hapax.settle(undo.id(), Settlement.happened(null, "it is gone", "ann"));
    approve(2);

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world).containsExactly("invoice one", "invoice two");
  }

  @Test
  void an_undo_that_a_person_gives_up_leaves_the_first_one_and_it_is_reused() {
    trouble.put("undo invoice one-1", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVISE)), order("A"));
    rework(1, "two");
    hapax.settle(reviewed().id(), Settlement.abandon("leave it", "ann"));
    approve(2);

    assertThat(run.await().key()).isEqualTo("invoice one-1");
    assertThat(world).containsExactly("invoice one");
    assertThat(state("invoice")).isEqualTo(EffectState.DONE);
    assertThat(entry(run, "reused").decision()).contains("the content differs and was not sent");
  }

  @Test
  void an_undo_that_fails_stops_the_step_and_a_retry_goes_on_with_it() {
    trouble.put("undo invoice one-1", () -> new Rejected("booked", "it is booked"));
    Flow<Order, Receipt> flow = stopping(OnRework.REVISE);
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    rework(1, "two");
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("undo-failed");
    assertThat(errorOf(run).message()).contains("invoice.undo").contains("it is booked");
    assertThat(world).containsExactly("invoice one");
    assertThat(state("invoice")).isEqualTo(EffectState.DONE);

    crash(flow);
    trouble.clear();
    hapax.retry(run.id(), "ann");
    approve(2);

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world).containsExactly("invoice one", "undo invoice one-1", "invoice two");
  }

  @Test
  void a_compensation_after_a_failed_undo_undoes_once_what_is_still_there() {
    trouble.put("undo invoice one-1", () -> new Rejected("booked", "it is booked"));
    Flow<Order, Receipt> flow = invoicing(OnRework.REVISE);
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    rework(1, "two");
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).code()).isEqualTo("compensation-failed");
    trouble.clear();

    crash(flow);
    hapax.retry(run.id(), "ann");

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("invoice one", "undo invoice one-1");
    assertThat(state("invoice")).isEqualTo(EffectState.UNDONE);
  }

  @Test
  void a_failed_undo_that_the_body_passes_over_does_not_stop_a_later_compensation() {
    trouble.put("undo invoice one-1", () -> new Rejected("booked", "it is booked"));
    Flow<Order, Receipt> flow =
        trips()
            .body(
                (run, order) -> {
                  run.rounds(
                      "release",
                      2,
                      (round, rework) -> {
                        try {
                          invoice(round, order, OnRework.REVISE, textOf(rework));
                        } catch (StepFailed e) {
                          // the first one stays
                        }
                        return Approval.ask("Send?");
                      });
                  run.effect("hotel", booking(order, undo("hotel")), _ -> send("hotel"));
                  trouble.clear();
                  throw new IllegalStateException("no money");
                });
    RunHandle<Receipt> run = hapax.start(register(flow), order("A"));
    rework(1, "two");
    approve(2);

    awaitStatus(run, RunStatus.COMPENSATED);
    assertThat(world).containsExactly("invoice one", "hotel", "undo-hotel", "undo invoice one-1");
  }

  @Test
  void an_undo_that_failed_can_be_settled_by_hand() {
    trouble.put("undo invoice one-1", () -> new Rejected("booked", "it is booked"));
    RunHandle<Receipt> run = hapax.start(register(stopping(OnRework.REVISE)), order("A"));
    rework(1, "two");
    awaitStatus(run, RunStatus.FAILED);

    hapax.settleStep(run.id(), "invoice.undo", null, null, "deleted by hand", "ann");
    approve(2);

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world).containsExactly("invoice one", "invoice two");
  }

  @Test
  void what_another_run_has_reused_is_undone_only_if_a_person_says_so() {
    Flow<Order, Receipt> flow = register(invoicing(OnRework.REVISE));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    open(1);
    Flow<Order, Receipt> other =
        register(
            orders("other")
                .body(
                    (context, order) ->
                        new Receipt(order.id(), invoice(context, order, OnRework.REUSE, "one"))));
    assertThat(hapax.start(other, order("A")).await().key()).isEqualTo("invoice one-1");

    rework(1, "two");
    EffectRecord undo = reviewed();
    assertThat(undo.evidence()).contains("has reused its result");
    hapax.settle(undo.id(), Settlement.notHappened("undo it", "ann"));
    approve(2);

    assertThat(run.await().key()).isEqualTo("invoice two-1");
    assertThat(world).containsExactly("invoice one", "undo invoice one-1", "invoice two");
  }

  @Test
  void a_corrected_input_counts_as_a_rework_and_its_undo_is_not_repeated() {
    AtomicInteger tries = new AtomicInteger();
    Flow<Order, Receipt> flow =
        register(
            orders("corrected")
                .body(
                    (context, order) -> {
                      invoice(context, order, OnRework.REVISE, "amount " + order.total());
                      if (tries.getAndIncrement() < 2) {
                        throw new IllegalStateException("not yet");
                      }
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);
    hapax.retry(run.id(), "ann", flow, new Order("A", 50));
    eventually(() -> tries.get() == 2);
    awaitStatus(run, RunStatus.FAILED);
    hapax.retry(run.id(), "ann", flow, new Order("A", 60));
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThat(world)
        .containsExactly(
            "invoice amount 40",
            "undo invoice amount 40-1",
            "invoice amount 50",
            "undo invoice amount 50-1",
            "invoice amount 60");
  }

  @Test
  void a_run_that_is_canceled_in_the_review_ends_when_the_person_has_decided() {
    RunHandle<Receipt> run = hapax.start(register(invoicing(OnRework.REVIEW)), order("A"));
    rework(1, "two");
    EffectRecord asked = reviewed();
    awaitStatus(run, RunStatus.REVIEW);
    hapax.cancel(run.id(), "ann", "stop");

    hapax.settle(asked.id(), Settlement.notHappened("it is not there", "ann"));

    awaitStatus(run, RunStatus.CANCELED);
    assertThat(world).containsExactly("invoice one");
  }

  @Test
  void items_revise_their_own_effects() {
    Flow<Order, Receipt> flow =
        register(
            orders("many")
                .body(
                    (run, order) -> {
                      run.forEach(
                          "orders",
                          Each.of(List.of("x", "y"), one -> one),
                          (item, one) ->
                              item.rounds(
                                  "release",
                                  2,
                                  (round, rework) -> {
                                    invoice(
                                        round,
                                        new Order(one, 1),
                                        OnRework.REVISE,
                                        one + " " + textOf(rework));
                                    return Approval.ask(one + "?");
                                  }));
                      return new Receipt(order.id(), "done");
                    }));
    trouble.put("undo invoice y one-1", () -> new IllegalStateException("reset"));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    eventually(() -> hapax.approvals().list(hapax.approvals().open()).size() == 2);
    for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open())) {
      hapax.approvals().decide(item.id(), Verdict.rework("ann", "please").values(new Text("two")));
    }
    hapax.settle(reviewed().id(), Settlement.happened(null, "it is gone", "ann"));
    eventually(() -> hapax.approvals().list(hapax.approvals().open()).size() == 2);
    for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open())) {
      hapax.approvals().decide(item.id(), Verdict.approve("ann"));
    }

    awaitStatus(run, RunStatus.SUCCEEDED);
    assertThat(world)
        .containsExactlyInAnyOrder(
            "invoice x one",
            "invoice y one",
            "undo invoice x one-1",
            "invoice x two",
            "invoice y two");
  }

  @Test
  void wherever_the_process_dies_each_revision_and_each_undo_happens_once() {
    int deaths = 0;
    while (dies(deaths + 1)) {
      deaths++;
      assertThat(world)
          .as("died before commit %d", deaths)
          .containsExactly("invoice one", "undo invoice one-1", "invoice two");
    }

    assertThat(deaths).isGreaterThan(4);
  }

  /** Runs a rework whose process dies before this commit; returns whether it reached the commit. */
  private boolean dies(int before) {
    world.clear();
    Flow<Order, Receipt> flow = invoicing(OnRework.REVISE);
    String key = "A-" + before;
    crash(flow);
    var commits = new AtomicInteger();
    MortalStore mortal = process;
    mortal.beforeCommit(
        _ -> {
          if (commits.incrementAndGet() == before) {
            mortal.die();
          }
        });
    Thread.startVirtualThread(() -> livesOn(flow, key));
    eventually(() -> commits.get() >= before || hasEnded(key));
    boolean died = commits.get() >= before;
    crash(flow);
    hapax.start(flow, order(key));
    moveUntil(Duration.ofMillis(200), () -> decideAll() && hasEnded(key));
    return died;
  }

  private void livesOn(Flow<Order, Receipt> flow, String key) {
    try {
      hapax.start(flow, order(key));
      eventually(() -> decideAll() && hasEnded(key));
    } catch (StoreBroken | AssertionError e) {
      // it died; the next process goes on
    }
  }

  /** The first round is sent back, the second one is good; a person knows what happened. */
  private boolean decideAll() {
    try {
      for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open())) {
        hapax
            .approvals()
            .decide(
                item.id(),
                item.round() == 1
                    ? Verdict.rework("ann", "please").values(new Text("two"))
                    : Verdict.approve("ann"));
      }
      for (EffectRecord row : hapax.effects(hapax.effects().state(EffectState.REVIEW))) {
        hapax.settle(
            row.id(),
            world.contains("undo invoice one-1")
                ? Settlement.happened(null, "it is gone", "ann")
                : Settlement.notHappened("it is there", "ann"));
      }
    } catch (RuntimeException e) {
      return true; // the process is dead, or somebody was faster
    }
    return true;
  }

  private boolean hasEnded(String key) {
    try {
      return hapax.run(hapax.id("trip", key)).status() == RunStatus.SUCCEEDED;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** As {@link #invoicing}, but a failure stops the run. */
  private Flow<Order, Receipt> stopping(OnRework onRework) {
    return orders("stopping")
        .body(
            (run, order) -> {
              run.rounds(
                  "release",
                  2,
                  (round, rework) -> {
                    invoice(round, order, onRework, textOf(rework));
                    return Approval.ask("Send?");
                  });
              return new Receipt(order.id(), "done");
            });
  }

  @Test
  void a_contract_that_cannot_be_followed_is_refused() {
    assertThatThrownBy(() -> Effect.update("A").onRework(OnRework.REVIEW))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is sent again when its content changed");
    assertThatThrownBy(() -> Effect.create("A").onRework(OnRework.REVIEW).keyed())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no content to compare");

    Flow<Order, Receipt> flow =
        register(
            orders("careless")
                .body(
                    (run, order) -> {
                      run.effect(
                          "invoice",
                          Effect.create(order.id())
                              .request(new Text("one"))
                              .onRework(OnRework.REVISE)
                              .keyed(),
                          (_, _) -> {
                            world.add("sent");
                          });
                      return new Receipt(order.id(), "done");
                    }));
    RunHandle<Receipt> run = hapax.start(flow, order("A"));
    awaitStatus(run, RunStatus.FAILED);
    assertThat(errorOf(run).message()).contains("no compensation");
    assertThat(world).isEmpty();
  }
}
