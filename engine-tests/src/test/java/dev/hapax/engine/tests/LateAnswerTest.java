package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.OutgoingMessage;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The destination answers after a person has decided. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LateAnswerTest extends EngineTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final World world = new World();
  private final ConcurrentLinkedQueue<OutgoingMessage> alerts = new ConcurrentLinkedQueue<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger calls = new AtomicInteger();

  @BeforeEach
  void openWithAlerts() {
    hapax.close();
    hapax =
        Hapax.open(
            process,
            HapaxOptions.DEFAULT
                .ports(time.ports())
                .closeWithin(Duration.ZERO)
                .alerts("people", Alert.REVIEW));
    hapax.outbox().courier("people", alerts::add);
  }

  /** A run in review whose first attempt is still under way. */
  private RunHandle<Receipt> inReview() throws InterruptedException {
    Effect<?> effect = Effect.notify("A").unguarded().timeout(TIMEOUT);
    RunHandle<Receipt> run =
        hapax.start(register(charging("mail", effect, this::hangFirst)), order("A"));
    entered.await();
    moveUntil(TIMEOUT, () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
    return run;
  }

  private String hangFirst(String key) {
    if (calls.incrementAndGet() == 1) {
      entered.countDown();
      awaitUninterruptibly(goOn);
    }
    return world.apply(key);
  }

  private void answerLate(RunHandle<Receipt> run) {
    goOn.countDown();
    eventually(() -> types(run).contains("answered-late"));
  }

  private List<String> lateAlerts() {
    return alerts.stream()
        .map(OutgoingMessage::json)
        .filter(json -> json.contains("answered-late"))
        .toList();
  }

  @Test
  void what_was_abandoned_stays_so_and_people_learn_that_it_happened() throws Exception {
    RunHandle<Receipt> run = inReview();
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("given up", "ada"));
    awaitStatus(run, RunStatus.FAILED);

    answerLate(run);
    eventually(() -> lateAlerts().size() == 1);

    assertThat(effect(EffectState.ABANDONED).evidence()).contains("abandon by ada");
    HistoryEntry late = entry(run, "answered-late");
    assertThat(late.decision()).isEqualTo("abandon by ada remains");
    assertThat(late.evidence()).contains("reported after the decision that it happened");
    assertThat(lateAlerts().getFirst()).contains(run.id(), "ada decided 'abandon'");
    assertThat(run.run().status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void what_was_sent_again_by_a_persons_word_is_reported_when_the_first_one_happened_too()
      throws Exception {
    RunHandle<Receipt> run = inReview();
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.notHappened("no trace", "ada"));
    awaitStatus(run, RunStatus.SUCCEEDED);

    answerLate(run);
    eventually(() -> lateAlerts().size() == 1);

    assertThat(calls).hasValue(2);
    assertThat(entry(run, "answered-late").decision()).isEqualTo("not-happened by ada remains");
    assertThat(types(run).stream().filter("done"::equals)).hasSize(1);
    assertThat(entry(run, "done").attempt()).isEqualTo(2);
  }

  @Test
  void an_answer_that_agrees_is_evidence_and_alerts_no_one() throws Exception {
    RunHandle<Receipt> run = inReview();
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened("by hand", "seen", "ada"));
    awaitStatus(run, RunStatus.SUCCEEDED);

    answerLate(run);

    assertThat(run.await().key()).isEqualTo("by hand");
    assertThat(entry(run, "answered-late").decision()).isEqualTo("happened by ada remains");
    assertThat(types(run).stream().filter("alerted"::equals)).hasSize(1); // the review itself
    assertThat(lateAlerts()).isEmpty();
  }

  @Test
  void a_decision_that_comes_while_the_run_wakes_up_for_its_answer_stays() throws Exception {
    var wokenUp = new CountDownLatch(1);
    var decided = new CountDownLatch(1);
    var passes = new AtomicInteger();
    Effect<?> effect = Effect.notify("A").unguarded().timeout(TIMEOUT);
    RunHandle<Receipt> run =
        hapax.start(
            register(
                orders("mail")
                    .body(
                        (context, order) -> {
                          if (passes.incrementAndGet() == 2) {
                            wokenUp.countDown();
                            awaitUninterruptibly(decided);
                          }
                          String sent =
                              context.effect("charge", effect, this::hangFirst, String.class);
                          return new Receipt(order.id(), sent);
                        })),
            order("A"));
    entered.await();
    moveUntil(TIMEOUT, () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
    goOn.countDown();
    wokenUp.await();

    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("given up", "ada"));
    decided.countDown();

    awaitStatus(run, RunStatus.FAILED);
    assertThat(effect(EffectState.ABANDONED).evidence()).contains("abandon by ada");
    assertThat(types(run)).doesNotContain("done");
    eventually(() -> types(run).contains("answered-late"));
  }

  @Test
  void an_answer_before_any_decision_settles_the_review() throws Exception {
    RunHandle<Receipt> run = inReview();

    goOn.countDown();
    awaitStatus(run, RunStatus.SUCCEEDED);

    assertThat(entry(run, "done").decision()).isEqualTo("answered late");
    assertThat(types(run)).doesNotContain("answered-late");
    assertThat(lateAlerts()).isEmpty();
  }

  @Test
  void an_answer_to_an_earlier_revision_says_nothing_about_the_next_one() throws Exception {
    var second = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        register(
            charging(
                "price",
                order -> Effect.update("A").request(order.id()).unguarded().timeout(TIMEOUT),
                key -> {
                  awaitUninterruptibly(calls.incrementAndGet() == 1 ? goOn : second);
                  return world.apply(key);
                }));
    RunHandle<Receipt> first = hapax.start(flow, order("A-1"));
    moveUntil(TIMEOUT, () -> hapax.run(first.id()).status() == RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.happened("by hand", "seen", "ada"));
    awaitStatus(first, RunStatus.SUCCEEDED);
    RunHandle<Receipt> next = hapax.start(flow, order("A-2"));
    moveUntil(TIMEOUT, () -> hapax.run(next.id()).status() == RunStatus.REVIEW);

    answerLate(first);
    assertThat(effect(EffectState.REVIEW).revision()).isEqualTo(2);
    second.countDown();
    awaitStatus(next, RunStatus.SUCCEEDED);

    assertThat(types(next)).doesNotContain("answered-late");
    assertThat(next.await().key()).isEqualTo("applied-" + world.arrivals().getLast());
  }

  /** A replay computes the key anew, so its step has another effect with the same revision. */
  @Test
  void late_answers_to_two_effects_of_one_step_are_both_on_record() throws Exception {
    var key = new AtomicReference<>("K-1");
    var holds = Map.of(1, goOn, 2, new CountDownLatch(1));
    RunHandle<Receipt> run =
        hapax.start(
            register(
                orders("rekeyed")
                    .body(
                        (context, order) -> {
                          String wanted = context.step("key", key::get, String.class);
                          String sent =
                              context.effect(
                                  "charge",
                                  Effect.notify(wanted).unguarded().timeout(TIMEOUT),
                                  wireKey -> {
                                    awaitUninterruptibly(
                                        Objects.requireNonNull(holds.get(calls.incrementAndGet())));
                                    return world.apply(wireKey);
                                  },
                                  String.class);
                          return new Receipt(order.id(), sent);
                        })),
            order("A"));
    moveUntil(TIMEOUT, () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("given up", "ada"));
    awaitStatus(run, RunStatus.FAILED);
    answerLate(run);
    key.set("K-2");

    hapax.replays().apply(hapax.replays().plan(run.id(), ReplayWish.ALL), "ada", "another key");
    moveUntil(TIMEOUT, () -> hapax.run(run.id()).status() == RunStatus.REVIEW);
    hapax.settle(effect(EffectState.REVIEW).id(), Settlement.abandon("given up", "bob"));
    awaitStatus(run, RunStatus.FAILED);
    Objects.requireNonNull(holds.get(2)).countDown();
    eventually(() -> lateAlerts().size() == 2);

    assertThat(hapax.history(run.id()))
        .filteredOn(line -> line.type().equals("answered-late"))
        .extracting(HistoryEntry::decision)
        .containsExactly("abandon by ada remains", "abandon by bob remains");
  }
}
