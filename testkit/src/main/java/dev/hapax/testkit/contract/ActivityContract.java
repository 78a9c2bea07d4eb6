package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Activity;
import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoppedNotes;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a tenant's runs did in a span of time is counted; other tenants are not. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ActivityContract extends StoreContract {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void an_empty_store_has_no_activity() {
    assertThat(store.tenants().activity(TENANT, around(newRun("A-1"), 100)))
        .isEqualTo(new Activity(List.of(), List.of(), List.of(), List.of(), List.of(), true));
  }

  @Test
  void runs_are_counted_by_slot_flow_and_status_in_the_span_only() {
    NewRun first = running("A-1");
    NewRun ended = running("A-2");
    land(next(ended, new Change.End(RunStatus.SUCCEEDED, null, null)));
    NewRun foreign = newRun("globex", FLOW, "A-1", "{}");
    land(insert(foreign, OWNER));
    Instant begin = around(first, 100).from();
    NewRun later = at(begin.plus(MINUTE.multipliedBy(2)), "A-3");
    land(insert(later, OWNER));
    NewRun outside = at(begin.plus(MINUTE.multipliedBy(3)), "A-4");
    land(insert(outside, OWNER));

    Activity found = store.tenants().activity(TENANT, span(begin, 3, 100));

    assertThat(found.runs())
        .containsExactlyInAnyOrder(
            new Activity.Created(FLOW, RunStatus.RUNNING, 0, 1),
            new Activity.Created(FLOW, RunStatus.SUCCEEDED, 0, 1),
            new Activity.Created(FLOW, RunStatus.RUNNING, 2, 1));
    assertThat(found.isWhole()).isTrue();
  }

  @Test
  void of_more_runs_than_asked_for_the_newest_are_counted() {
    NewRun first = running("A-1");
    running("A-2");
    running("A-3");

    Activity found = store.tenants().activity(TENANT, around(first, 2));

    assertThat(found.runs()).containsExactly(new Activity.Created(FLOW, RunStatus.RUNNING, 0, 2));
    assertThat(found.isWhole()).isFalse();
  }

  @Test
  void failures_are_counted_by_flow_and_code() {
    NewRun first = running("A-1");
    fail(first, RunStatus.FAILED, "card-declined");
    fail(running("A-2"), RunStatus.PARTIAL, "card-declined");
    fail(running("A-3"), RunStatus.FAILED, "timeout");
    land(next(running("A-4"), new Change.End(RunStatus.SUCCEEDED, null, null)));

    Activity found = store.tenants().activity(TENANT, around(first, 100));

    assertThat(found.failures().stream().filter(one -> one.code().equals("card-declined")))
        .extracting(Activity.Failed::flow)
        .containsOnly(FLOW);
    assertThat(failures(found, "card-declined")).isEqualTo(2);
    assertThat(failures(found, "timeout")).isEqualTo(1);
    assertThat(found.failures().stream().mapToLong(Activity.Failed::count).sum()).isEqualTo(3);
  }

  @Test
  void what_is_open_is_counted_with_the_oldest_even_if_it_began_before_the_span() {
    NewRun waits = waiting("A-1");
    waiting("A-2");
    NewRun run = running("A-3");
    settled(create(run, "K-1"), EffectState.DOUBT);
    long review = settled(create(run, "K-2"), EffectState.REVIEW).effect();
    Wait approval = approval(run);
    land(next(run, new Change.OpenWait(approval)));
    Instant after = IdSource.timeOf(run.number()).plus(Duration.ofHours(1));

    Activity found = store.tenants().activity(TENANT, span(after, 1, 100));

    assertThat(found.runs()).isEmpty();
    assertThat(found.open())
        .contains(
            new Activity.Open(FLOW, Activity.Kind.WAITING, 2, IdSource.timeOf(waits.number())),
            new Activity.Open(FLOW, Activity.Kind.RUNNING, 1, IdSource.timeOf(run.number())),
            new Activity.Open(FLOW, Activity.Kind.REVIEW, 1, IdSource.timeOf(review)),
            new Activity.Open(FLOW, Activity.Kind.APPROVAL, 1, IdSource.timeOf(approval.number())))
        .hasSize(5);
    assertThat(store.tenants().activity("globex", span(after, 1, 100)).open()).isEmpty();
  }

  @Test
  void stopped_duplicates_are_counted_by_door() {
    NewRun run = running("A-1");
    NewRun other = running("A-2");
    land(always(counted(run, 3, Door.INBOX, Door.INBOX), counted(other, 1, Door.START)));

    Activity found = store.tenants().activity(TENANT, around(run, 100));

    assertThat(found.stopped())
        .containsExactlyInAnyOrder(
            new Activity.Stopped(FLOW, Door.INBOX, 3), new Activity.Stopped(FLOW, Door.START, 1));
  }

  @Test
  void effects_that_another_run_reused_are_counted() {
    NewRun first = running("A-1");
    done(create(first, "K"), "7");
    done(create(first, "L"), "8");
    NewRun second = running("A-2");
    claim(create(second, "K"));

    Activity found = store.tenants().activity(TENANT, around(first, 100));

    assertThat(found.reused()).containsExactly(new Activity.Reused(FLOW, 1));
  }

  @Test
  void rows_of_other_tenants_count_against_the_bound_but_are_not_seen() {
    NewRun own = running("A-1");
    land(withoutEntries(insert(newRun("globex", FLOW, "B-1", "{}"), OWNER)));
    land(withoutEntries(insert(newRun("globex", FLOW, "B-2", "{}"), OWNER)));

    Activity bounded = store.tenants().activity(TENANT, around(own, 2));
    Activity whole = store.tenants().activity(TENANT, around(own, 4));

    assertThat(bounded.runs()).isEmpty();
    assertThat(bounded.isWhole()).isFalse();
    assertThat(whole.runs()).containsExactly(new Activity.Created(FLOW, RunStatus.RUNNING, 0, 1));
    assertThat(whole.isWhole()).isTrue();
  }

  @Test
  void failures_beyond_the_bound_are_left_out_and_said() {
    NewRun own = running("A-1");
    fail(own, RunStatus.FAILED, "timeout");
    NewRun foreign = newRun("globex", FLOW, "B-1", "{}");
    land(withoutEntries(insert(foreign, OWNER)));
    fail(foreign, RunStatus.FAILED, "timeout");

    Activity bounded = store.tenants().activity(TENANT, around(own, 1));

    assertThat(bounded.failures()).isEmpty();
    assertThat(bounded.isWhole()).isFalse();
    assertThat(store.tenants().activity(TENANT, around(own, 3)).failures())
        .containsExactly(new Activity.Failed(FLOW, "timeout", 1));
  }

  @Test
  void what_is_open_beyond_the_bound_is_left_out_and_said() {
    NewRun foreign = newRun("globex", FLOW, "B-1", "{}");
    land(withoutEntries(insert(foreign, OWNER)));
    land(withoutEntries(next(foreign, new Change.Release(RunStatus.WAITING, null))));
    NewRun waits = waiting("A-1");
    Instant after = IdSource.timeOf(waits.number()).plus(Duration.ofHours(1));

    Activity bounded = store.tenants().activity(TENANT, span(after, 1, 1));
    Activity whole = store.tenants().activity(TENANT, span(after, 1, 3));

    assertThat(bounded.open()).isEmpty();
    assertThat(bounded.isWhole()).isFalse();
    assertThat(whole.open())
        .containsExactly(
            new Activity.Open(FLOW, Activity.Kind.WAITING, 1, IdSource.timeOf(waits.number())));
    assertThat(whole.isWhole()).isTrue();
  }

  @Test
  void effects_beyond_the_bound_are_left_out_and_said() {
    NewRun run = running("A-1");
    settled(create(run, "K-1"), EffectState.REVIEW);
    settled(create(run, "K-2"), EffectState.REVIEW);
    Instant after = IdSource.timeOf(run.number()).plus(Duration.ofHours(1));

    Activity bounded = store.tenants().activity(TENANT, span(after, 1, 2));

    assertThat(bounded.isWhole()).isFalse();
    assertThat(store.tenants().activity(TENANT, span(after, 1, 3)).isWhole()).isTrue();
    Activity foreign = store.tenants().activity("globex", span(after, 1, 2));
    assertThat(foreign.open()).isEmpty();
    assertThat(foreign.isWhole()).isFalse();
  }

  @Test
  void stopped_duplicates_beyond_the_bound_are_left_out_and_said() {
    NewRun run = running("A-1");
    NewRun other = running("A-2");
    land(always(counted(run, 3, Door.INBOX, Door.INBOX), counted(other, 1, Door.START)));

    Activity foreign = store.tenants().activity("globex", around(run, 2));

    assertThat(store.tenants().activity(TENANT, around(run, 1)).stopped())
        .containsExactly(new Activity.Stopped(FLOW, Door.START, 1));
    assertThat(foreign.stopped()).isEmpty();
    assertThat(foreign.isWhole()).isFalse();
  }

  private static Change.CountDuplicates counted(NewRun run, long count, Door... doors) {
    var notes =
        Arrays.stream(doors).map(door -> new StoppedDuplicate(Instant.EPOCH, door, null)).toList();
    return new Change.CountDuplicates(run.number(), count, 0, StoppedNotes.write(notes));
  }

  private static long failures(Activity found, String code) {
    return found.failures().stream()
        .filter(one -> one.code().equals(code))
        .mapToLong(Activity.Failed::count)
        .sum();
  }

  private void fail(NewRun run, RunStatus status, String code) {
    var failure = new Failure(code, "it went wrong", null, null, false);
    land(next(run, new Change.End(status, null, failure)));
  }

  private static NewRun at(Instant time, String key) {
    return new NewRun(
        IdSource.firstAt(time),
        RunId.of(TENANT, FLOW, key, null),
        TENANT,
        FLOW,
        1,
        key,
        Fingerprint.of("{}"),
        "{}",
        null);
  }

  /** One slot that has the run and all that follow it within seconds. */
  private static Activity.Span around(NewRun run, int most) {
    return span(IdSource.timeOf(run.number()).minusSeconds(1), 1, most);
  }

  private static Activity.Span span(Instant from, int slots, int most) {
    return new Activity.Span(from, from.plus(MINUTE.multipliedBy(slots)), MINUTE, most);
  }

  private Wait approval(NewRun run) {
    var question =
        new Wait.Question(
            "Send it?",
            List.of(),
            true,
            "{\"decision\":\"reject\"}",
            new DeciderLimits(true, false));
    return Wait.approval(
        nextNumber(), TENANT, run.number(), new Step("ask", null), question, now, null, 2);
  }
}
