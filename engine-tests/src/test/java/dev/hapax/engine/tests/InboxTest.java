package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.Acknowledgement;
import dev.hapax.BatchedEvent;
import dev.hapax.Event;
import dev.hapax.Source;
import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.Tie;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An event starts one run, no matter how often and in which order it arrives. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class InboxTest extends EngineTest {
  private final Flow<Order, Receipt> paid =
      orders("paid").body((_, order) -> new Receipt(order.id(), "done"));
  private final AtomicBoolean understands = new AtomicBoolean(true);

  private void listen() {
    hapax
        .inbox()
        .source(
            "shop",
            Order.class,
            paid,
            order -> {
              if (!understands.get()) {
                throw new IllegalStateException("no such field");
              }
              return order;
            });
  }

  @Test
  void an_event_that_came_again_gets_the_first_run() {
    register(paid);
    listen();

    Acknowledgement first =
        hapax.inbox().receive(Event.from("shop").id("evt_1").payload(order("A-1")));
    Acknowledgement again =
        hapax.inbox().receive(Event.from("shop").id("evt_1").payload(order("A-1")));

    assertThat(first.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(again.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(again.run()).isEqualTo(first.run());
    assertThat(again.event()).isEqualTo(first.event());
    eventually(() -> statusOf(first) == RunStatus.SUCCEEDED);
  }

  @Test
  void what_was_acknowledged_is_there_after_a_crash_and_what_was_not_leaves_nothing() {
    register(paid);
    listen();
    Acknowledgement first =
        hapax.inbox().receive(Event.from("shop").id("evt_1").payload(order("A-1")));
    process.beforeCommit(
        _ -> {
          throw new StoreBroken("the process dies here", null);
        });
    assertThatThrownBy(
            () -> hapax.inbox().receive(Event.from("shop").id("evt_2").payload(order("A-2"))))
        .isInstanceOf(StoreBroken.class);

    crash(paid);
    listen();

    eventually(() -> statusOf(first) == RunStatus.SUCCEEDED);
    assertThat(hapax.inbox().events(hapax.inbox().events())).hasSize(1);
    Acknowledgement second =
        hapax.inbox().receive(Event.from("shop").id("evt_2").payload(order("A-2")));
    assertThat(second.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
  }

  private BatchedEvent batched(String id, String order) {
    return new BatchedEvent(
        Event.from("queue").id(id).payload(order(order)),
        new Source<>(Order.class, paid, value -> value));
  }

  @Test
  void a_batch_is_received_in_its_order_and_again_starts_nothing() {
    register(paid);
    List<BatchedEvent> batch =
        List.of(batched("1", "A-1"), batched("2", "A-2"), batched("1", "A-1"));

    List<Acknowledgement> first = hapax.inbox().receiveAll(batch);
    List<Acknowledgement> again = hapax.inbox().receiveAll(batch);

    assertThat(first)
        .extracting(Acknowledgement::outcome)
        .containsExactly(InboxOutcome.ACCEPTED, InboxOutcome.ACCEPTED, InboxOutcome.DUPLICATE);
    assertThat(again).extracting(Acknowledgement::outcome).containsOnly(InboxOutcome.DUPLICATE);
    assertThat(again.get(1).run()).isEqualTo(first.get(1).run());
    assertThat(hapax.runs(hapax.runs())).hasSize(2);
  }

  @Test
  void a_crash_leaves_a_whole_batch_or_nothing_of_it() {
    register(paid);
    process.beforeCommit(
        _ -> {
          throw new StoreBroken("the process dies here", null);
        });
    assertThatThrownBy(
            () -> hapax.inbox().receiveAll(List.of(batched("1", "A-1"), batched("2", "A-2"))))
        .isInstanceOf(StoreBroken.class);

    crash(paid);

    assertThat(hapax.inbox().events(hapax.inbox().events())).isEmpty();
    assertThat(hapax.runs(hapax.runs())).isEmpty();
  }

  @Test
  void an_event_whose_id_belongs_to_another_one_is_recorded_and_starts_nothing() {
    register(paid);
    BatchedEvent other = batched("1#other", "A-9");

    List<Acknowledgement> answers =
        hapax
            .inbox()
            .receiveAll(
                List.of(new BatchedEvent(other.event(), other.source(), "event-reused: by 1")));

    assertThat(answers)
        .extracting(Acknowledgement::outcome)
        .containsExactly(InboxOutcome.CONFLICTING);
    assertThat(answers.getFirst().detail()).isEqualTo("event-reused: by 1");
    assertThat(hapax.runs(hapax.runs())).isEmpty();
  }

  @Test
  void an_invalid_event_is_kept_and_tried_again_with_its_own_payload() {
    register(paid);
    listen();
    understands.set(false);
    Acknowledgement invalid =
        hapax.inbox().receive(Event.from("shop").id("evt_1").payload(order("A-1")));
    Acknowledgement unreadable =
        hapax.inbox().receive(Event.from("shop").id("evt_2").payload("text"));

    understands.set(true);
    Acknowledgement retried = hapax.inbox().retry(invalid.event());

    assertThat(invalid.outcome()).isEqualTo(InboxOutcome.INVALID);
    assertThat(invalid.detail()).contains("no such field");
    assertThat(unreadable.outcome()).isEqualTo(InboxOutcome.INVALID);
    assertThat(retried.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    eventually(() -> statusOf(retried) == RunStatus.SUCCEEDED);
    assertThatThrownBy(() -> hapax.inbox().retry(invalid.event()))
        .hasMessageContaining("only an event that is invalid, rejected or in review");
  }

  @Test
  void an_older_version_starts_nothing() {
    register(paid);
    listen();
    hapax.inbox().receive(Event.from("shop").id("e2").about("o/1", 2).payload(order("o/1/2")));

    Acknowledgement stale =
        hapax.inbox().receive(Event.from("shop").id("e1").about("o/1", 1).payload(order("o/1/1")));

    assertThat(stale.outcome()).isEqualTo(InboxOutcome.STALE);
    assertThat(stale.detail()).contains("older than version 2");
    assertThat(hapax.runs(hapax.runs())).hasSize(1);
  }

  @Test
  void an_equal_version_with_other_content_starts_its_own_run() {
    register(paid);
    listen();
    Event first = Event.from("shop").id("e1").about("o/1", 2).payload(order("A"));
    Event same = Event.from("shop").id("e2").about("o/1", "2.0").payload(order("A"));
    Event other = Event.from("shop").id("e3").about("o/1", "2").payload(order("B"));

    Acknowledgement accepted = hapax.inbox().receive(first);
    Acknowledgement duplicate = hapax.inbox().receive(same);
    Acknowledgement tied = hapax.inbox().receive(other);
    Acknowledgement redelivered = hapax.inbox().receive(other);

    assertThat(duplicate.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(duplicate.run()).isEqualTo(accepted.run());
    assertThat(tied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(redelivered.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(redelivered.run()).isEqualTo(tied.run());
    assertThat(hapax.runs(hapax.runs())).hasSize(2);
  }

  @Test
  void a_tie_in_review_starts_its_run_when_a_person_tries_it_again() {
    register(paid);
    hapax.inbox().source("shop", new Source<>(Order.class, paid, order -> order).tie(Tie.REVIEW));
    hapax.inbox().receive(Event.from("shop").id("e1").about("o/1", 2).payload(order("A")));

    Acknowledgement tied =
        hapax.inbox().receive(Event.from("shop").id("e2").about("o/1", 2).payload(order("B")));
    Acknowledgement applied = hapax.inbox().retry(tied.event());

    assertThat(tied.outcome()).isEqualTo(InboxOutcome.REVIEW);
    assertThat(tied.run()).isNull();
    assertThat(tied.detail()).contains("version 2 of 'o/1' arrived before with other content");
    assertThat(applied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    eventually(() -> statusOf(applied) == RunStatus.SUCCEEDED);
  }

  @Test
  void a_rejected_tie_stays_rejected_until_its_source_has_another_rule() {
    register(paid);
    var source = new Source<>(Order.class, paid, (Order order) -> order);
    hapax.inbox().receive(Event.from("shop").id("e1").about("o/1", 2).payload(order("A")), source);
    Event other = Event.from("shop").id("e2").about("o/1", 2).payload(order("B"));

    Acknowledgement rejected = hapax.inbox().receive(other, source.tie(Tie.REJECT));
    Acknowledgement still = hapax.inbox().retry(rejected.event(), source.tie(Tie.REJECT));
    Acknowledgement applied = hapax.inbox().retry(rejected.event(), source);

    assertThat(rejected.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(still.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(applied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
  }

  @Test
  void another_input_under_the_key_is_conflicting() {
    register(paid);
    listen();
    hapax.inbox().receive(Event.from("shop").id("e1").payload(new Order("A-1", 40)));

    Acknowledgement conflict =
        hapax.inbox().receive(Event.from("shop").id("e2").payload(new Order("A-1", 45)));

    assertThat(conflict.outcome()).isEqualTo(InboxOutcome.CONFLICTING);
    assertThat(conflict.run()).isEqualTo(hapax.id("paid", "A-1"));
  }

  @Test
  void an_event_that_its_flows_limit_does_not_let_in_is_rejected_and_tried_again_later() {
    Flow<Order, Receipt> one =
        register(
            orders("one-at-a-time")
                .concurrency(1, Overflow.REJECT)
                .body(
                    (run, order) -> {
                      run.sleep("work", Duration.ofHours(1));
                      return new Receipt(order.id(), "done");
                    }));
    hapax.inbox().source("orders", Order.class, one, order -> order);
    Acknowledgement first =
        hapax.inbox().receive(Event.from("orders").id("evt_1").payload(order("A-1")));

    Acknowledgement rejected =
        hapax.inbox().receive(Event.from("orders").id("evt_2").payload(order("A-2")));
    Acknowledgement tooEarly = hapax.inbox().retry(rejected.event());

    assertThat(rejected.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(rejected.run()).isNull();
    assertThat(rejected.detail()).contains("concurrency-limit").contains(first.run());
    assertThat(tooEarly.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(hapax.runs(hapax.runs())).hasSize(1);
    moveUntil(Duration.ofHours(2), () -> statusOf(first) == RunStatus.SUCCEEDED);
    Acknowledgement retried = hapax.inbox().retry(rejected.event());
    assertThat(retried.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(retried.event()).isEqualTo(rejected.event());
    moveUntil(Duration.ofHours(2), () -> statusOf(retried) == RunStatus.SUCCEEDED);
  }

  @Test
  void bad_events_are_refused() {
    listen();

    assertThatThrownBy(() -> Event.from("shop").id("")).hasMessageContaining("key of an event");
    assertThatThrownBy(() -> Event.from("shop").id("e").about("o", -1))
        .hasMessageContaining("expected 0 or more, got -1");
    assertThatThrownBy(() -> hapax.inbox().receive(Event.from("other").id("e")))
        .hasMessageContaining("source 'other' is unknown here");
    assertThatThrownBy(this::listen).hasMessageContaining("is set already");
    assertThatThrownBy(() -> hapax.inbox().retry("x")).hasMessageContaining("event id");
  }

  private RunStatus statusOf(Acknowledgement of) {
    return hapax.run(Objects.requireNonNull(of.run())).status();
  }
}
