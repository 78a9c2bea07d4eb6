package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TextMatch;
import dev.hapax.flow.Tie;
import dev.hapax.run.Gate;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer.Received;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
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

    var landed = land(always(receive(event("evt-1"), run)));

    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(((Received) landed.answers().getFirst()).outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(stored(run).key()).isEqualTo("A-1");
    assertThat(events()).hasSize(1);
  }

  @Test
  void an_event_is_found_by_its_id_alone() {
    answer(receive(event("evt-1"), newRun("A-1")));
    answer(receive(event("evt-10"), newRun("A-2")));
    answer(receive(event("other"), newRun("A-3")));

    assertThat(store.events(TENANT, TextMatch.exactly("evt-1"), 10))
        .extracting(InboxEvent::event)
        .containsExactly("evt-1");
    assertThat(store.events(TENANT, TextMatch.beginningWith("evt-"), 10))
        .extracting(InboxEvent::event)
        .containsExactly("evt-1", "evt-10");
    assertThat(store.events(TENANT, TextMatch.beginningWith("evt-"), 1)).hasSize(1);
    assertThat(store.events("globex", TextMatch.exactly("evt-1"), 10)).isEmpty();
  }

  @Test
  void a_redelivery_gets_the_first_answer_and_is_counted() {
    NewRun run = newRun("A-1");
    answer(receive(event("evt-1"), run));
    Group second = always(receive(event("evt-1"), newRun("another")));

    var again = (Received) land(second).answers().getFirst();
    land(second);

    assertThat(again.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(again.run()).isEqualTo(run.id().toString());
    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().redeliveries()).isEqualTo(1);

    answer(receive(event("evt-2"), newRun("once")));
    InboxFilter repeated = InboxFilter.of(TENANT).repeated(true);
    assertThat(store.events(repeated)).extracting(InboxEvent::event).containsExactly("evt-1");
    assertThat(store.events(repeated.repeated(false))).hasSize(2);
  }

  @Test
  void a_batch_that_is_submitted_again_answers_the_same() {
    Group group = always(receive(event("evt-1", "order/7", 3), newRun("A-1")));

    var first = land(group);
    var again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().redeliveries()).isZero();
  }

  @Test
  void an_older_version_is_stale_and_the_same_one_with_the_same_content_a_duplicate() {
    NewRun run = newRun("order/7/3");
    answer(receive(event("evt-3", "order/7", 3), run));

    Received older = answer(receive(event("evt-2", "order/7", 2), newRun("order/7/2")));
    Received same = answer(receive(event("evt-3b", "order/7", 3), withInput("3b", run.input())));
    Received newer = answer(receive(event("evt-4", "order/7", 4), newRun("order/7/4")));
    Received other = answer(receive(event("evt-5", "order/8", 1), newRun("order/8/1")));

    assertThat(older.outcome()).isEqualTo(InboxOutcome.STALE);
    assertThat(older.run()).isNull();
    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(same.run()).isEqualTo(run.id().toString());
    assertThat(newer.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(other.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(events()).hasSize(5);
  }

  @Test
  void the_same_version_with_new_content_starts_a_run_and_each_content_only_one() {
    NewRun one = withInput("A", "1");
    NewRun two = withInput("B", "2");

    answer(receive(event("evt-1", "order/7", 3), one));
    Received tied = answer(receive(event("evt-2", "order/7", 3), two));
    Received first = answer(receive(event("evt-3", "order/7", 3), withInput("C", "1.0")));
    Received second = answer(receive(event("evt-4", "order/7", 3), withInput("D", "2")));
    Received newer = answer(receive(event("evt-5", "order/7", 4), withInput("E", "1")));
    Received older = answer(receive(event("evt-6", "order/7", 3), withInput("F", "3")));

    assertThat(tied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(tied.run()).isEqualTo(two.id().toString());
    assertThat(first.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(first.run()).isEqualTo(one.id().toString());
    assertThat(first.detail()).contains("version 3 of 'order/7'").contains("same content");
    assertThat(second.run()).isEqualTo(two.id().toString());
    assertThat(newer.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(older.outcome()).isEqualTo(InboxOutcome.STALE);
  }

  @Test
  void a_tie_is_rejected_or_waits_for_a_person_if_its_source_says_so() {
    answer(receive(event("evt-1", "order/7", 3), withInput("A", "1")));
    InboxEvent rejected = event("evt-2", "order/7", 3);
    InboxEvent reviewed = event("evt-3", "order/7", 3);

    Received refused = answer(tied(rejected, withInput("B", "2"), Tie.REJECT));
    Received waits = answer(tied(reviewed, withInput("C", "2"), Tie.REVIEW));
    Received same = answer(tied(event("evt-4", "order/7", 3), withInput("D", "1"), Tie.REVIEW));
    Received applied = answer(tied(reviewed, withInput("C", "2"), Tie.APPLY));
    Received late = answer(tied(rejected, withInput("B", "2"), Tie.APPLY));

    assertThat(refused.outcome()).isEqualTo(InboxOutcome.REJECTED);
    assertThat(refused.detail()).contains("tied-version").contains("tie: reject");
    assertThat(waits.outcome()).isEqualTo(InboxOutcome.REVIEW);
    assertThat(waits.run()).isNull();
    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(applied.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(late.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(late.run()).isEqualTo(applied.run());
  }

  @Test
  void a_tie_whose_key_is_taken_follows_the_flows_rule() {
    answer(receive(event("evt-1", "order/7", 3), withInput("A", "1")));

    Received conflict = answer(receive(event("evt-2", "order/7", 3), withInput("A", "2")));
    Received returned =
        answer(
            new Change.Receive(
                event("evt-3", "order/7", 3),
                withInput("A", "2"),
                true,
                InboxOutcome.INVALID,
                null));

    assertThat(conflict.outcome()).isEqualTo(InboxOutcome.CONFLICTING);
    assertThat(returned.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
  }

  @Test
  void versions_are_compared_as_numbers_times_or_texts_and_kept_exactly() {
    InboxEvent large = event("n1", "n", ObjectVersion.of("92233720368547758080"));
    answer(receive(large, withInput("A", "1")));
    answer(
        receive(
            event("t1", "t", ObjectVersion.of("2026-11-17T05:00:00.5+01:00")),
            withInput("B", "1")));
    answer(receive(event("x1", "x", ObjectVersion.of("b")), withInput("C", "1")));

    assertThat(outcomeOf("n2", "n", "9")).isEqualTo(InboxOutcome.STALE);
    assertThat(outcomeOf("n3", "n", "92233720368547758080.0")).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(outcomeOf("n4", "n", "92233720368547758081")).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(outcomeOf("t2", "t", "2026-11-17T04:00:00Z")).isEqualTo(InboxOutcome.STALE);
    assertThat(outcomeOf("t3", "t", "2026-11-17t04:00:00.50z")).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(outcomeOf("t4", "t", "2026-11-17T04:00:01Z")).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(outcomeOf("x2", "x", "a")).isEqualTo(InboxOutcome.STALE);
    assertThat(outcomeOf("x3", "x", "b")).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(outcomeOf("x4", "x", "c")).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(events())
        .filteredOn(event -> event.event().equals("n1"))
        .containsExactly(large.with(InboxOutcome.ACCEPTED, idOf("A"), null));
  }

  private InboxOutcome outcomeOf(String id, String object, String version) {
    InboxEvent event = event(id, object, ObjectVersion.of(version));
    return answer(receive(event, withInput(id, "1"))).outcome();
  }

  @Test
  void a_version_of_another_type_than_the_first_is_invalid_and_changes_nothing() {
    answer(receive(event("evt-1", "order/7", 3), withInput("A", "1")));

    Received other =
        answer(receive(event("evt-2", "order/7", ObjectVersion.of("v4")), withInput("B", "2")));
    Received next = answer(receive(event("evt-3", "order/7", 4), withInput("C", "3")));

    assertThat(other.outcome()).isEqualTo(InboxOutcome.INVALID);
    assertThat(other.run()).isNull();
    assertThat(other.detail()).contains("'v4'").contains("a text").contains("a number");
    assertThat(next.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
  }

  @Test
  void content_that_cannot_be_read_is_invalid_under_an_equal_version_and_stale_under_an_older() {
    answer(receive(event("evt-1", "order/7", 3), withInput("A", "1")));

    Received equal = answer(unreadable(event("evt-2", "order/7", 3)));
    Received older = answer(unreadable(event("evt-3", "order/7", 2)));

    assertThat(equal.outcome()).isEqualTo(InboxOutcome.INVALID);
    assertThat(older.outcome()).isEqualTo(InboxOutcome.STALE);
  }

  @Test
  void content_is_forgotten_with_its_event() {
    InboxEvent first = event("evt-1", "order/7", 3);
    answer(receive(first, withInput("A", "1")));
    answer(receive(event("evt-2", "order/7", 3), withInput("B", "2")));

    land(always(new Change.ForgetEvents(first.number() + 1, 10)));

    assertThat(answer(receive(event("evt-3", "order/7", 3), withInput("C", "2"))).outcome())
        .isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(answer(receive(event("evt-4", "order/7", 3), withInput("D", "1"))).outcome())
        .isEqualTo(InboxOutcome.ACCEPTED);
  }

  private static Change.Receive unreadable(InboxEvent event) {
    return new Change.Receive(event, null, false, InboxOutcome.INVALID, "no total");
  }

  private static Change.Receive tied(InboxEvent event, NewRun run, Tie tie) {
    return new Change.Receive(event, run, false, InboxOutcome.INVALID, null, null, tie);
  }

  private NewRun withInput(String key, String input) {
    return newRun(TENANT, FLOW, key, input);
  }

  private String idOf(String key) {
    return newRun(TENANT, FLOW, key, "1").id().toString();
  }

  @Test
  void a_key_that_has_a_run_follows_the_flows_rule() {
    NewRun there = waiting("A-1");
    NewRun other = newRun(TENANT, FLOW, "A-1", "{\"order\":\"another\"}");

    Received same = answer(receive(event("evt-1"), newRun("A-1")));
    Received conflict = answer(receive(event("evt-2"), other));
    Received returned =
        answer(new Change.Receive(event("evt-3"), other, true, InboxOutcome.INVALID, null));

    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
    assertThat(conflict.outcome()).isEqualTo(InboxOutcome.CONFLICTING);
    assertThat(conflict.run()).isEqualTo(there.id().toString());
    assertThat(returned.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
  }

  @Test
  void what_was_refused_can_be_decided_anew_once() {
    InboxEvent event = event("evt-1", "order/7", 1);
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
      answer(receive(event("evt-" + i, "order/" + i, 1), newRun("A-" + i)));
    }
    long before = events().getFirst().number();

    land(always(new Change.ForgetEvents(before, 3)));

    assertThat(events()).extracting(InboxEvent::event).containsExactly("evt-4", "evt-3");
    land(always(new Change.ForgetEvents(before, 3)));
    assertThat(events()).extracting(InboxEvent::event).containsExactly("evt-4");
  }

  @Test
  void a_retry_of_an_old_event_does_not_let_the_version_be_forgotten_earlier() {
    InboxEvent old = event("evt-1", "order/7", 5);
    answer(unreadable(old));
    InboxEvent young = event("evt-2", "order/7", 3);
    answer(receive(young, withInput("A", "1")));

    answer(receive(old, withInput("B", "2")));
    land(always(new Change.ForgetEvents(young.number(), 10)));

    assertThat(answer(receive(event("evt-3", "order/7", 4), withInput("C", "3"))).outcome())
        .isEqualTo(InboxOutcome.STALE);
  }

  @Test
  void the_first_event_that_is_remembered_is_known_by_its_time() {
    assertThat(store.retention().firstEvent()).isNull();
    InboxEvent first = event("evt-1", "order/7", 1);
    answer(receive(first, newRun("A-1")));
    answer(receive(event("evt-2"), newRun("A-2")));

    assertThat(store.retention().firstEvent()).isEqualTo(IdSource.timeOf(first.number()));
  }

  @Test
  void at_a_full_gate_that_refuses_an_event_is_rejected_and_can_be_tried_again() {
    Gate gate = new Gate(null, 1, Overflow.REJECT);
    NewRun holder = newRun("A-1").through(gate);
    answer(receive(event("evt-1"), holder));
    InboxEvent event = event("evt-2", "order/7", 1);
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
    answer(receive(event("evt-1"), newRun("A-1").through(gate)));

    Received same = answer(receive(event("evt-2"), newRun("A-1").through(gate)));

    assertThat(same.outcome()).isEqualTo(InboxOutcome.DUPLICATE);
  }

  @Test
  void at_a_full_gate_with_a_queue_the_run_of_an_event_waits() {
    Gate gate = new Gate(null, 1, Overflow.QUEUE);
    answer(receive(event("evt-1"), newRun("A-1").through(gate)));
    NewRun second = newRun("A-2").through(gate);

    Received queued = answer(receive(event("evt-2"), second));

    assertThat(queued.outcome()).isEqualTo(InboxOutcome.ACCEPTED);
    assertThat(stored(second).status()).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void events_are_listed_by_source_outcome_and_number() {
    Received one = answer(receive(event("evt-1"), newRun("A-1")));
    answer(new Change.Receive(event("evt-2"), null, false, InboxOutcome.REJECTED, "x"));

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

    answer(fromLostTime(event("evt-1"), first));
    answer(fromLostTime(event("evt-2"), second));
    answer(fromLostTime(event("evt-3"), newRun("A-1").through(gate))); // a duplicate

    var occurred = new RunEntry.Occurred(LOST);
    assertThat(entriesOf(first)).containsExactly(occurred);
    assertThat(entriesOf(second)).containsExactly(new RunEntry.Queued(gate), occurred);
    assertThat(Objects.requireNonNull(store.load(second.number())).seq()).isEqualTo(2);
  }

  private List<JournalEntry> entriesOf(NewRun run) {
    return store.journal(run.number()).stream().flatMap(row -> row.readEntries().stream()).toList();
  }

  private static Change.Receive fromLostTime(InboxEvent event, NewRun run) {
    return new Change.Receive(event, run, false, InboxOutcome.INVALID, null, LOST, Tie.APPLY);
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

  private InboxEvent event(String id) {
    return event(id, null, (ObjectVersion) null);
  }

  private InboxEvent event(String id, String object, long version) {
    return event(id, object, ObjectVersion.of(version));
  }

  private InboxEvent event(String id, @Nullable String object, @Nullable ObjectVersion version) {
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
