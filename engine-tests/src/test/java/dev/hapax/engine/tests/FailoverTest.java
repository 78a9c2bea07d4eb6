package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Event;
import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Source;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Flow;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A standby takes over that has not heard of everything: what may have been sent is in doubt. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class FailoverTest extends EngineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ReplicatedStore replicated = new ReplicatedStore(time::now);
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private MortalStore node = new MortalStore(replicated);
  private Hapax engine = open(HapaxOptions.DEFAULT);

  private Hapax open(HapaxOptions options) {
    return Hapax.open(node, options.ports(time.ports()).closeWithin(Duration.ZERO));
  }

  @AfterEach
  void closeEngine() {
    engine.close();
  }

  /** The process dies with the server, and another one opens the store at the standby. */
  private void failOver(Flow<?, ?> flow, HapaxOptions options) {
    node.die();
    replicated.failOver();
    node = new MortalStore(replicated);
    engine = open(options);
    engine.register(flow);
  }

  private void failOver(Flow<?, ?> flow) {
    failOver(flow, HapaxOptions.DEFAULT);
  }

  /** Waits, then sends. */
  private Flow<Order, Receipt> mail(Duration pause, Effect<?> effect) {
    return orders("mail")
        .body(
            (run, order) -> {
              run.sleep("pause", pause);
              return new Receipt(order.id(), run.effect("mail", effect, this::send, String.class));
            });
  }

  private String send(String key) {
    sent.add(key);
    return "sent-" + sent.size();
  }

  /** Its mail is sent and acknowledged, and then lost. */
  private RunHandle<Receipt> sendAndLose(Flow<Order, Receipt> flow) {
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING, false);
    replicated.stopFollowing();
    awaitStatus(run, RunStatus.SUCCEEDED, true);
    assertThat(sent).hasSize(1);
    failOver(flow);
    return run;
  }

  private void awaitStatus(RunHandle<?> run, RunStatus status, boolean whileTimePasses) {
    if (whileTimePasses) {
      moveUntil(SECOND, () -> engine.run(run.id()).status() == status);
    } else {
      eventually(() -> engine.run(run.id()).status() == status);
    }
  }

  private HistoryEntry told(RunHandle<?> run, String type) {
    return engine.history(run.id()).stream()
        .filter(entry -> entry.type().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private EffectRecord reviewed() {
    return engine.effects(engine.effects().state(EffectState.REVIEW)).getFirst();
  }

  @Test
  void an_unguarded_effect_that_may_be_lost_waits_for_a_person() {
    RunHandle<Receipt> run = sendAndLose(mail(MINUTE, Effect.notify("A-1").unguarded()));

    awaitStatus(run, RunStatus.REVIEW, true);

    assertThat(sent).hasSize(1);
    assertThat(told(run, "review").evidence()).contains("server was replaced");
    engine.settle(reviewed().id(), Settlement.notHappened("no mail arrived", "ann"));
    awaitStatus(run, RunStatus.SUCCEEDED, true);
    assertThat(sent).hasSize(2);
  }

  @Test
  void a_keyed_effect_that_may_be_lost_is_sent_again_under_the_same_key() {
    RunHandle<Receipt> run = sendAndLose(mail(MINUTE, Effect.create("A-1").keyed()));

    awaitStatus(run, RunStatus.SUCCEEDED, true);

    assertThat(sent).hasSize(2);
    assertThat(sent.getFirst()).isEqualTo(sent.getLast());
    assertThat(told(run, "doubt").evidence()).contains("server was replaced");
    assertThat(told(run, "doubt").decision()).contains("by its key");
  }

  @Test
  void a_keyed_effect_whose_window_may_have_passed_since_it_was_lost_waits_for_a_person() {
    Flow<Order, Receipt> flow =
        mail(Duration.ofMinutes(1), Effect.create("A-1").keyed(Duration.ofHours(1)));
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING, false);
    replicated.stopFollowing();
    awaitStatus(run, RunStatus.SUCCEEDED, true);
    time.move(Duration.ofHours(2));
    failOver(flow);

    awaitStatus(run, RunStatus.REVIEW, true);

    assertThat(sent).hasSize(1);
  }

  @Test
  void a_lookup_finds_what_was_sent_and_lost() {
    Effect<?> looked =
        Effect.create("A-1")
            .lookup(
                _ -> sent.isEmpty() ? Optional.empty() : Optional.of("sent-1"),
                Duration.ofSeconds(10));
    RunHandle<Receipt> run = sendAndLose(mail(MINUTE, looked));

    awaitStatus(run, RunStatus.SUCCEEDED, true);

    assertThat(sent).hasSize(1);
    assertThat(told(run, "doubt").evidence()).contains("server was replaced");
  }

  @Test
  void a_run_that_sleeps_past_the_failover_has_sent_nothing_before_it() {
    Flow<Order, Receipt> flow = mail(Duration.ofDays(1), Effect.notify("A-1").unguarded());
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING, false);

    time.move(MINUTE); // what was written last is not the beginning of the sleep
    failOver(flow);

    moveUntil(Duration.ofMinutes(10), () -> engine.run(run.id()).status() == RunStatus.SUCCEEDED);
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_run_that_is_lost_and_started_again_may_have_sent_what_it_sends() {
    Flow<Order, Receipt> flow = charging("lost", Effect.notify("A-1").unguarded(), this::send);
    engine.register(flow);
    replicated.stopFollowing();
    assertThat(engine.start(flow, order("A-1")).await().key()).isEqualTo("sent-1");
    failOver(flow);

    RunHandle<Receipt> again = engine.start(flow, order("A-1"));

    awaitStatus(again, RunStatus.REVIEW, false);
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_run_that_is_started_long_after_the_failover_is_new() {
    Flow<Order, Receipt> flow = charging("late", Effect.notify("A-1").unguarded(), this::send);
    failOver(flow);
    time.move(Failover.STARTED_AGAIN_WITHIN);

    assertThat(engine.start(flow, order("A-1")).await().key()).isEqualTo("sent-1");
  }

  @Test
  void an_attempt_after_a_back_off_may_be_lost_too() {
    var attempts = new AtomicInteger();
    Flow<Order, Receipt> flow =
        charging(
            "backing-off",
            Effect.notify("A-1").unguarded().retry(retries(5)),
            key -> {
              if (attempts.incrementAndGet() == 1) {
                throw new NotApplied("busy");
              }
              return send(key);
            });
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    eventually(() -> engine.run(run.id()).owner() == null);
    replicated.stopFollowing();
    awaitStatus(run, RunStatus.SUCCEEDED, true);
    failOver(flow);

    awaitStatus(run, RunStatus.REVIEW, true);

    assertThat(sent).hasSize(1);
    assertThat(Objects.requireNonNull(reviewed().evidence())).contains("server was replaced");
  }

  @Test
  void an_engine_whose_failovers_lose_nothing_has_no_doubts() {
    Flow<Order, Receipt> flow = mail(MINUTE, Effect.notify("A-1").unguarded());
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    awaitStatus(run, RunStatus.WAITING, false);

    failOver(flow, HapaxOptions.DEFAULT.failoversLoseNothing(true));

    awaitStatus(run, RunStatus.SUCCEEDED, true);
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_run_in_memory_whose_newest_entries_are_lost_goes_on_from_what_is_there() throws Exception {
    var second = new CountDownLatch(1);
    var failedOver = new CountDownLatch(1);
    Flow<Order, Receipt> flow =
        orders("in-memory")
            .body(
                (run, order) -> {
                  run.effect(
                      "charge",
                      create(order).keyed(),
                      key -> {
                        replicated.stopFollowing();
                        return send(key);
                      },
                      String.class);
                  run.effect(
                      "ship",
                      create(order).keyed(),
                      key -> {
                        second.countDown();
                        failedOver.await();
                        return send(key);
                      },
                      String.class);
                  return new Receipt(order.id(), "done");
                });
    engine.register(flow);
    RunHandle<Receipt> run = engine.start(flow, order("A-1"));
    second.await();

    replicated.failOver();
    failedOver.countDown();

    awaitStatus(run, RunStatus.SUCCEEDED, true);
    assertThat(sent.stream().distinct()).hasSize(2);
    assertThat(engine.history(run.id()).stream().map(HistoryEntry::type))
        .filteredOn("doubt"::equals)
        .hasSize(2);
  }

  /** An event whose run sent its mail and is lost, and that its source delivers again later. */
  private Flow<Order, Receipt> mailOfEvent() {
    return orders("mail")
        .body(
            (run, order) ->
                new Receipt(
                    order.id(),
                    run.effect(
                        "mail", Effect.notify(order.id()).unguarded(), this::send, String.class)));
  }

  private String receive(String id, Instant occurredAt) {
    var source = new Source<>(Order.class, mailFlow, order -> order);
    var event = Event.from("shop").id(id).payload(order(id)).at(occurredAt);
    return Objects.requireNonNull(engine.inbox().receive(event, source).run());
  }

  private final Flow<Order, Receipt> mailFlow = mailOfEvent();

  @Test
  void an_event_of_the_lost_time_that_is_delivered_again_hours_later_is_in_doubt() {
    engine.register(mailFlow);
    replicated.stopFollowing();
    time.move(MINUTE);
    Instant occurred = time.now();
    String first = receive("A-1", occurred);
    eventually(() -> engine.run(first).status() == RunStatus.SUCCEEDED);
    time.move(MINUTE);
    failOver(mailFlow);
    time.move(Duration.ofHours(3));

    String again = receive("A-1", occurred);
    String fresh = receive("A-2", time.now());

    eventually(() -> engine.run(fresh).status() == RunStatus.SUCCEEDED);
    eventually(() -> engine.run(again).status() == RunStatus.REVIEW);
    assertThat(sent).hasSize(2);
    assertThat(again).isEqualTo(first);
    assertThat(engine.history(again).stream().map(HistoryEntry::type))
        .containsSubsequence("occurred", "intent", "review");
    assertThat(engine.history(fresh).stream().map(HistoryEntry::type)).doesNotContain("occurred");
  }

  @Test
  void an_event_of_the_lost_time_is_still_one_after_a_crash() {
    engine.register(mailFlow);
    replicated.stopFollowing();
    time.move(MINUTE);
    Instant occurred = time.now();
    failOver(mailFlow);
    time.move(Duration.ofHours(3));
    node.die();
    node = new MortalStore(replicated);
    engine = open(HapaxOptions.DEFAULT); // its code comes later, so that the run waits
    String run = receive("A-1", occurred);

    node.die();
    node = new MortalStore(replicated);
    engine = open(HapaxOptions.DEFAULT);
    engine.register(mailFlow);

    eventually(() -> engine.run(run).status() == RunStatus.REVIEW);
    assertThat(sent).isEmpty();
  }
}
