package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Acknowledgement;
import dev.hapax.Event;
import dev.hapax.Kept;
import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flow.Each;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ExpiredEffect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Flow.AfterRetention;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StepFailed;
import dev.hapax.store.Change;
import dev.hapax.store.UnknownCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long effects are remembered, what a claim hears after that, and who may ask why. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class LedgerRetentionTest extends EngineTest {
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());

  @Test
  void an_effect_that_was_done_and_has_expired_is_not_sent_again() {
    var first = register(charging("first", AfterRetention.EXPIRED));
    var second = register(charging("second", AfterRetention.EXPIRED));
    run(first, "A-1");
    awaitEffectsGone(1);

    RunHandle<Receipt> late = hapax.start(second, order("A-1"));
    assertThatThrownBy(late::await)
        .isInstanceOf(RunFailed.class)
        .hasMessageContaining("'charge' 'A-1' was done before")
        .hasMessageContaining("nothing was sent");

    assertThat(errorOf(late).code()).isEqualTo("effect-expired");
    assertThat(sent).hasSize(1);
    ExpiredEffect left = Objects.requireNonNull(hapax.ledger().findExpired("charge", "A-1"));
    assertThat(left.state()).isEqualTo(EffectState.DONE);
    assertThat(left.wireKey()).isEqualTo(sent.getFirst());
    assertThat(hapax.ledger().findExpired("charge", "A-2")).isNull();
    assertThat(hapax.tenant("another").ledger().findExpired("charge", "A-1")).isNull();
    HistoryEntry told = entry(late, "effect-expired");
    assertThat(told.decision()).contains("nothing is sent");
    hapax.retry(late.id(), "ann");
    awaitStatus(late, RunStatus.FAILED);
    assertThat(errorOf(late).code()).isEqualTo("effect-expired");
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_run_that_replays_hears_that_it_has_expired_again() {
    var first = register(charging("first", AfterRetention.EXPIRED));
    Flow<Order, Receipt> second =
        register(
            orders("second")
                .body(
                    (run, order) -> {
                      try {
                        return new Receipt(order.id(), charge(run, order));
                      } catch (StepFailed e) {
                        run.sleep("think", Duration.ofHours(1));
                        return new Receipt(order.id(), e.code());
                      }
                    }));
    run(first, "A-1");
    awaitEffectsGone(1);
    RunHandle<Receipt> late = hapax.start(second, order("A-1"));
    awaitReleased(late);

    crash(first, second);
    moveAndWake(Duration.ofHours(2), late);

    assertThat(hapax.handle(late.id(), Receipt.class).await().key()).isEqualTo("effect-expired");
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_run_that_its_flow_wants_to_be_new_sends_it_again_under_another_key() {
    var flow = register(charging("report", AfterRetention.NEW));
    run(flow, "A-1");
    awaitEffectsGone(1);

    run(flow, "A-1");

    assertThat(sent).hasSize(2).doesNotHaveDuplicates();
    assertThat(hapax.effects(hapax.effects()))
        .singleElement()
        .satisfies(effect -> assertThat(effect.revision()).isEqualTo(2));
  }

  @Test
  void a_forgotten_key_never_forgets_its_effects() {
    var flow = register(charging("first", AfterRetention.EXPIRED));
    run(flow, "A-1");
    awaitEffectsGone(1);
    hapax.forget(flow, "A-1", "ann", "the customer asked");

    RunHandle<Receipt> second = hapax.start(flow, order("A-1"));
    awaitStatus(second, RunStatus.FAILED);

    assertThat(errorOf(second).code()).isEqualTo("effect-expired");
    assertThat(sent).hasSize(1);
  }

  @Test
  void the_longest_retention_of_the_flows_that_share_the_name_counts() {
    var quick = register(orders("quick").retention(Duration.ofDays(1)).body(this::paid));
    var thorough = register(orders("thorough").retention(Duration.ofDays(90)).body(this::paid));
    run(thorough, "B");
    RunHandle<Receipt> run = run(quick, "A-1");
    String effect = effectOf("A-1");
    Instant end = Objects.requireNonNull(hapax.run(run.id()).endedAt());

    moveAndAwait(Duration.ofDays(2), () -> hapax.retention().deleted().runs() == 1);
    Kept kept = hapax.retention().explainEffect(effect);
    RunHandle<Receipt> again = hapax.start(thorough, order("A-1"));
    again.await();

    assertThat(kept.until()).isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(kept.because()).extracting(Kept.Reason::code).containsExactly("retention");
    assertThat(kept.because().getFirst().text()).contains("'thorough'").contains("'charge'");
    assertThat(sent).hasSize(2);
    assertThat(types(again)).contains("reused");
    moveSteps(100, Duration.ofDays(1));
    moveAndAwait(Duration.ofDays(90), () -> hapax.retention().deleted().effects() == 2);
  }

  @Test
  void an_effect_stays_for_a_run_that_has_reused_it_and_goes_on() {
    var first = register(charging("first", AfterRetention.EXPIRED));
    var second =
        register(
            orders("second")
                .body(
                    (run, order) -> {
                      paid(run, order);
                      run.sleep("patience", Duration.ofDays(90));
                      return paid(run, order, "charge-again");
                    }));
    run(first, "A-1");
    RunHandle<Receipt> reuser = hapax.start(second, order("A-1"));
    awaitReleased(reuser);
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().runs() == 1);

    Kept kept = hapax.retention().explainEffect(effectOf("A-1"));
    moveSteps(30, Duration.ofDays(1));

    assertThat(kept.until()).isNull();
    assertThat(kept.because().getFirst().text()).contains(reuser.id()).contains("refers to");
    assertThat(effect(EffectState.DONE).key().key()).isEqualTo("A-1");
    moveAndWake(Duration.ofDays(60), reuser);
    assertThat(reuser.await().order()).isEqualTo("A-1");
    assertThat(sent).hasSize(1);
  }

  @Test
  void every_effect_of_a_very_long_run_goes() {
    List<Order> items = IntStream.range(0, 1_300).mapToObj(i -> order("item-" + i)).toList();
    Flow<Order, Receipt> flow =
        register(
            orders("many")
                .body(
                    (run, order) -> {
                      run.forEach("item", Each.of(items, Order::id), this::paid);
                      return new Receipt(order.id(), "done");
                    }));
    run(flow, "A-1");

    awaitEffectsGone(1_300);

    assertThat(sent).hasSize(1_300);
    assertThat(hapax.effects(hapax.effects())).isEmpty();
  }

  @Test
  void a_process_that_dies_while_it_lets_go_loses_nothing() {
    var flow = register(charging("first", AfterRetention.EXPIRED));
    for (int i = 0; i < 300; i++) {
      run(flow, "A-" + i);
    }
    process.beforeCommit(
        _ -> {
          if (hapax.retention().deleted().effects() > 0) {
            process.die();
          }
        });
    moveAndAwait(Duration.ofDays(31), process::isDead);

    crash(flow);

    moveAndAwait(Duration.ofDays(1), () -> hapax.retention().deleted().effects() == 300);
    assertThat(hapax.retention().deleted().runs()).isEqualTo(300);
  }

  @Test
  void a_commit_whose_outcome_is_unknown_lets_go_once() {
    var flow = register(charging("first", AfterRetention.EXPIRED));
    run(flow, "A-1");
    var failed = new AtomicInteger();
    process.beforeCommit(
        batch -> {
          boolean leaves =
              batch.groups().stream()
                  .flatMap(group -> group.changes().stream())
                  .anyMatch(change -> change instanceof Change.LeaveEffects);
          if (leaves && failed.getAndIncrement() == 0) {
            process.failNextCommit(
                new UnknownCommit("nobody knows", new IllegalStateException()), true);
          }
        });

    awaitEffectsGone(1);

    assertThat(failed.get()).isPositive();
    assertThat(hapax.retention().deleted().effects()).isEqualTo(1);
  }

  @Test
  void when_the_tombstone_is_gone_too_the_key_is_free() {
    var flow = register(charging("first", AfterRetention.EXPIRED));
    run(flow, "A-1");
    awaitEffectsGone(1);

    moveAndAwait(Duration.ofDays(367), () -> hapax.retention().deleted().effectTombstones() == 1);
    run(flow, "A-1");

    assertThat(sent).hasSize(2);
  }

  @Test
  void why_a_run_is_there_can_be_asked() {
    var sleeper = register(sleeping(Duration.ofDays(90)));
    RunHandle<Receipt> asleep = hapax.start(sleeper, order("A-1"));
    awaitReleased(asleep);
    var flow = register(charging("first", AfterRetention.EXPIRED));
    RunHandle<Receipt> ended = run(flow, "A-2");

    Kept open = hapax.retention().explainRun(asleep.id());
    Kept kept = hapax.retention().explainRun(ended.id());
    Kept effect = hapax.retention().explainEffect(effectOf("A-2"));

    assertThat(open.until()).isNull();
    assertThat(open.because())
        .containsExactly(new Kept.Reason("open", "it has not ended: it is waiting", null));
    assertThat(kept.until()).isEqualTo(hapax.retention().keptUntil(ended.id()));
    assertThat(kept.because()).extracting(Kept.Reason::code).containsExactly("retention");
    assertThat(kept.because().getFirst().text()).contains("flow 'first'").contains("PT720H");
    assertThat(effect.until()).isEqualTo(kept.until());
    assertThat(effect.because())
        .extracting(Kept.Reason::code)
        .containsExactly("referred", "retention");
    assertThatThrownBy(() -> hapax.retention().explainEffect("e-1")).isInstanceOf(NotFound.class);
  }

  @Test
  void why_an_effect_in_review_is_there_can_be_asked() {
    var doubtful =
        register(
            charging(
                "doubtful",
                create(order("A-2")).unguarded(),
                _ -> {
                  throw new IllegalStateException("reset");
                }));
    RunHandle<Receipt> inReview = hapax.start(doubtful, order("A-2"));
    awaitStatus(inReview, RunStatus.REVIEW);

    Kept kept = hapax.retention().explainEffect(effect(EffectState.REVIEW).id());

    assertThat(kept.until()).isNull();
    assertThat(kept.because())
        .extracting(Kept.Reason::code)
        .containsExactly("review", "referred", "retention");
  }

  @Test
  void events_are_forgotten_after_thirty_days_and_the_effects_of_their_flow_not_before() {
    Flow<Order, Receipt> flow =
        register(orders("quick").retention(Duration.ofDays(1)).body(this::paid));
    hapax.inbox().source("shop", Order.class, flow, order -> order);
    Event event = Event.from("shop").id("evt_1").payload(order("A-1"));
    Acknowledgement first = hapax.inbox().receive(event);
    eventually(() -> hapax.run(Objects.requireNonNull(first.run())).status().isEnd());

    moveSteps(29, Duration.ofDays(1));
    Acknowledgement again = hapax.inbox().receive(event);
    assertThat(hapax.retention().deleted().effects()).isZero();
    moveAndAwait(Duration.ofDays(2), () -> hapax.inbox().events(hapax.inbox().events()).isEmpty());
    awaitEffectsGone(1);
    Acknowledgement late = hapax.inbox().receive(event);

    assertThat(again.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(late.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(sent).hasSize(1);
  }

  private Flow<Order, Receipt> charging(String name, AfterRetention after) {
    return orders(name).afterRetention(after).body(this::paid);
  }

  private Receipt paid(RunContext run, Order order) {
    return new Receipt(order.id(), charge(run, order));
  }

  private Receipt paid(RunContext run, Order order, String step) {
    return new Receipt(order.id(), charge(run, order, step));
  }

  private String charge(RunContext run, Order order) {
    return charge(run, order, "charge");
  }

  private String charge(RunContext run, Order order, String step) {
    return run.effect(
        step,
        create(order).keyed().name("charge"),
        key -> {
          sent.add(key);
          return key;
        },
        String.class);
  }

  private RunHandle<Receipt> run(Flow<Order, Receipt> flow, String id) {
    RunHandle<Receipt> run = hapax.start(flow, order(id));
    run.await();
    return run;
  }

  private String effectOf(String key) {
    return hapax.effects(hapax.effects()).stream()
        .filter(effect -> effect.key().key().equals(key))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private void awaitEffectsGone(int count) {
    moveAndAwait(Duration.ofDays(31), () -> hapax.retention().deleted().effects() == count);
  }
}
