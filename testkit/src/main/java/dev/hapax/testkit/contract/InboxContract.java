package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Overflow;
import dev.hapax.run.Answer.Received;
import dev.hapax.run.Gate;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.RunStatus;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.InboxFilter;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An event and its run are one commit, and one of many deliveries decides. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class InboxContract extends StoreContract {
  private static final Instant LOST = Instant.parse("2026-11-15T10:00:00Z");

  @Test
  void an_event_and_its_run_are_there_together() {
    NewRun run = newRun("A-1");

    var landed = land(always(receive(event("evt-1", null, null), run)));

    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(((Received) landed.answers().getFirst()).outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(stored(run).key()).isEqualTo("A-1");
    assertThat(events()).hasSize(1);
  }

  @Test
  void a_redelivery_gets_the_first_answer_and_is_counted() {
    NewRun run = newRun("A-1");
    answer(receive(event("evt-1", null, null), run));
    Group second = always(receive(event("evt-1", null, null), newRun("another")));

    var again = (Received) land(second).answers().getFirst();
    land(second);

    assertThat(again.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(again.run()).isEqualTo(run.id().toString());
    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().redeliveries()).isEqualTo(1);
  }

  @Test
  void a_batch_that_is_submitted_again_answers_the_same() {
    Group group = always(receive(event("evt-1", "order/7", 3L), newRun("A-1")));

    var first = land(group);
    var again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().redeliveries()).isZero();
  }

  @Test
  void an_older_version_is_stale_and_the_same_one_a_duplicate() {
    NewRun run = newRun("order/7/3");
    answer(receive(event("evt-3", "order/7", 3L), run));

    Received older = answer(receive(event("evt-2", "order/7", 2L), newRun("order/7/2")));
    Received same = answer(receive(event("evt-3b", "order/7", 3L), newRun("order/7/3b")));
    Received newer = answer(receive(event("evt-4", "order/7", 4L), newRun("order/7/4")));
    Received other = answer(receive(event("evt-5", "order/8", 1L), newRun("order/8/1")));

    assertThat(older.outcome()).isEqualTo(InboxOutcome.STALE);
    assertThat(older.run()).isNull();
    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(same.run()).isEqualTo(run.id().toString());
    assertThat(newer.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(other.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(events()).hasSize(5);
  }

  @Test
  void a_key_that_has_a_run_follows_the_flows_rule() {
    NewRun there = waiting("A-1");
    NewRun other = newRun(TENANT, FLOW, "A-1", "{\"order\":\"another\"}");

    Received same = answer(receive(event("evt-1", null, null), newRun("A-1")));
    Received conflict = answer(receive(event("evt-2", null, null), other));
    Received returned =
        answer(
            new Change.Receive(
                event("evt-3", null, null), other, true, InboxOutcome.INVALID, null));

    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(conflict.outcome()).isEqualTo(InboxOutcome.CONFLICTING);
    assertThat(conflict.run()).isEqualTo(there.id().toString());
    assertThat(returned.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
  }

  @Test
  void what_was_refused_can_be_decided_anew_once() {
    InboxEvent event = event("evt-1", "order/7", 1L);
    Received invalid =
        answer(new Change.Receive(event, null, false, InboxOutcome.INVALID, "no total"));
    NewRun run = newRun("A-1");

    Received again = answer(receive(event, run));
    Received third = answer(receive(event, newRun("B")));

    assertThat(invalid.detail()).isEqualTo("no total");
    assertThat(again.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(third.run()).isEqualTo(run.id().toString());
    assertThat(events()).hasSize(1);
  }

  @Test
  void old_events_are_forgotten_in_bounded_parts() {
    for (int i = 0; i < 5; i++) {
      answer(receive(event("evt-" + i, "order/" + i, 1L), newRun("A-" + i)));
    }
    long before = events().getFirst().number();

    land(always(new Change.ForgetEvents(before, 3)));

    assertThat(events()).extracting(InboxEvent::event).containsExactly("evt-4", "evt-3");
    land(always(new Change.ForgetEvents(before, 3)));
    assertThat(events()).extracting(InboxEvent::event).containsExactly("evt-4");
  }

  @Test
  void the_first_event_that_is_remembered_is_known_by_its_time() {
    assertThat(store.retention().firstEvent()).isNull();
    InboxEvent first = event("evt-1", "order/7", 1L);
    answer(receive(first, newRun("A-1")));
    answer(receive(event("evt-2", null, null), newRun("A-2")));

    assertThat(store.retention().firstEvent()).isEqualTo(IdSource.timeOf(first.number()));
  }

  @Test
  void at_a_full_gate_that_refuses_an_event_is_rejected_and_can_be_tried_again() {
    Gate gate = new Gate(null, 1, Overflow.REJECT);
    NewRun holder = newRun("A-1").through(gate);
    answer(receive(event("evt-1", null, null), holder));
    InboxEvent event = event("evt-2", "order/7", 1L);
    NewRun refused = newRun("A-2").through(gate);
    Group group = always(receive(event, refused));

    Received rejected = (Received) land(group).answers().getFirst();

    assertThat(rejected.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(rejected.run()).isNull();
    assertThat(rejected.detail()).contains("concurrency-limit").contains(holder.id().toString());
    assertThat(store.holder(refused.id())).isNull();
    assertThat(land(group).answers()).containsExactly(rejected);
    assertThat(events().getFirst().outcome()).isEqualTo(InboxOutcome.REJECTED);

    land(withoutEntries(unowned(holder, 0, new Change.Take(OWNER))));
    land(owned(holder, 0, new Change.End(RunStatus.SUCCEEDED, null, null)));
    Received again = answer(receive(event, newRun("A-2").through(gate)));
    assertThat(again.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(events()).hasSize(2);
  }

  @Test
  void what_came_before_is_no_matter_of_the_gate() {
    Gate gate = new Gate(null, 1, Overflow.REJECT);
    answer(receive(event("evt-1", null, null), newRun("A-1").through(gate)));

    Received same = answer(receive(event("evt-2", null, null), newRun("A-1").through(gate)));

    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
  }

  @Test
  void at_a_full_gate_with_a_queue_the_run_of_an_event_waits() {
    Gate gate = new Gate(null, 1, Overflow.QUEUE);
    answer(receive(event("evt-1", null, null), newRun("A-1").through(gate)));
    NewRun second = newRun("A-2").through(gate);

    Received queued = answer(receive(event("evt-2", null, null), second));

    assertThat(queued.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(stored(second).status()).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void events_are_listed_by_source_outcome_and_number() {
    Received one = answer(receive(event("evt-1", null, null), newRun("A-1")));
    answer(new Change.Receive(event("evt-2", null, null), null, false, InboxOutcome.REJECTED, "x"));

    var filter = InboxFilter.of(TENANT);
    assertThat(store.events(filter.outcome(InboxOutcome.REJECTED))).hasSize(1);
    assertThat(store.events(filter.source("shop"))).hasSize(2);
    assertThat(store.events(filter.source("another"))).isEmpty();
    assertThat(store.events(filter.event("evt-2"))).hasSize(1);
    assertThat(store.events(filter.event("evt-3"))).isEmpty();
    assertThat(store.events(filter.page(one.event(), 1))).isEmpty();
    assertThat(store.events(filter.page(null, 1))).hasSize(1);
    assertThat(store.events(filter.number(one.event()))).hasSize(1);
    assertThat(store.events(filter.ownedBy("another"))).isEmpty();
  }

  @Test
  void the_run_of_an_event_from_a_lost_time_says_in_its_journal_when_it_happened() {
    var gate = new Gate("customer", 1, Overflow.QUEUE);
    NewRun first = newRun("A-1").through(gate);
    NewRun second = newRun("A-2").through(gate);

    answer(fromLostTime(event("evt-1", null, null), first));
    answer(fromLostTime(event("evt-2", null, null), second));
    answer(fromLostTime(event("evt-3", null, null), newRun("A-1").through(gate))); // a duplicate

    var occurred = new JournalEntry.Occurred(LOST);
    assertThat(entriesOf(first)).containsExactly(occurred);
    assertThat(entriesOf(second)).containsExactly(new JournalEntry.Queued(gate), occurred);
    assertThat(Objects.requireNonNull(store.load(second.number())).seq()).isEqualTo(2);
  }

  private List<JournalEntry> entriesOf(NewRun run) {
    return store.journal(run.number()).stream().flatMap(row -> row.readEntries().stream()).toList();
  }

  private static Change.Receive fromLostTime(InboxEvent event, NewRun run) {
    return new Change.Receive(event, run, false, InboxOutcome.INVALID, null, LOST);
  }

  private Received answer(Change.Receive change) {
    return (Received) land(always(change)).answers().getFirst();
  }

  private List<InboxEvent> events() {
    return store.events(InboxFilter.of(TENANT));
  }

  private static Change.Receive receive(InboxEvent event, NewRun run) {
    return new Change.Receive(event, run, false, InboxOutcome.INVALID, null);
  }

  private InboxEvent event(String id, @Nullable String object, @Nullable Long version) {
    return new InboxEvent(
        nextNumber(),
        TENANT,
        "shop",
        id,
        object,
        version,
        "{}",
        FLOW,
        InboxOutcome.INVALID,
        null,
        null,
        now,
        0);
  }
}
