package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.Head;
import dev.hapax.store.NodeReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The writers of a run: its owner while it is in memory, any that takes it while it is not. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class OwnershipContract extends StoreContract {

  @Test
  void who_is_not_the_owner_writes_nothing() {
    NewRun run = running("A-1");
    Intent intent = create(run, "A-1");
    Head byAnother = new Head.Owned(run.number(), OTHER_OWNER, 0);

    var answer = commit(group(byAnother, ENTRIES, intent.claim(), succeeded()));

    assertThat(answer).isEqualTo(new Lost());
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(store.journal(run.number())).isEmpty();
    assertThat(store.effect(intent.effectKey())).isNull();
  }

  @Test
  void a_former_owner_writes_nothing_after_the_release() {
    NewRun run = waiting("A-1");

    assertThat(commit(owned(run, 0, succeeded()))).isEqualTo(new Lost());

    assertThat(stored(run).status()).isEqualTo(RunStatus.WAITING);
  }

  @Test
  void a_run_in_memory_is_not_taken() {
    NewRun run = running("A-1");

    assertThat(commit(unowned(run, 0, new Change.Take(OTHER_OWNER)))).isEqualTo(new Lost());
    assertThat(commit(withoutEntries(unowned(run, 0, new Change.Take(OTHER_OWNER)))))
        .isEqualTo(new Lost());

    assertThat(stored(run).owner()).isEqualTo(OWNER);
  }

  @Test
  void a_taken_run_is_running_and_no_longer_due() {
    NewRun run = newRun("A-1");
    land(insert(run, null));

    land(withoutEntries(unowned(run, 1, new Change.Take(OWNER))));

    assertThat(stored(run).owner()).isEqualTo(OWNER);
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(stored(run).dueAt()).isNull();
    assertThat(due()).isEmpty();
  }

  @Test
  void of_two_takers_one_gets_the_run() {
    NewRun run = waiting("A-1");
    Group mine = withoutEntries(unowned(run, 0, new Change.Take(OWNER)));
    Group theirs = withoutEntries(unowned(run, 0, new Change.Take(OTHER_OWNER)));

    var answers = commit(mine, theirs);

    assertThat(answers).containsExactly(new Landed(List.of(), List.of()), new Lost());
    assertThat(stored(run).owner()).isEqualTo(OWNER);
  }

  @Test
  void a_taker_that_missed_a_row_is_lost() {
    NewRun run = newRun("A-1");
    land(insert(run, null));

    assertThat(commit(withoutEntries(unowned(run, 0, new Change.Take(OWNER)))))
        .isEqualTo(new Lost());

    assertThat(stored(run).owner()).isNull();
  }

  @Test
  void a_run_without_owner_can_be_written_and_stays_without() {
    NewRun run = waiting("A-1");

    land(unowned(run, 0, new Change.Wake()));

    assertThat(store.journal(run.number())).hasSize(1);
    assertThat(stored(run).owner()).isNull();
  }

  @Test
  void a_released_run_has_no_owner_and_the_status_and_time_it_was_given() {
    NewRun run = running("A-1");

    land(next(run, new Change.Release(RunStatus.REVIEW, later(Duration.ofHours(1)))));

    assertThat(stored(run).owner()).isNull();
    assertThat(stored(run).status()).isEqualTo(RunStatus.REVIEW);
    assertThat(stored(run).dueAt()).isEqualTo(later(Duration.ofHours(1)));
  }

  @Test
  void an_ended_run_has_its_result_no_owner_and_is_never_due() {
    NewRun run = running("A-1");
    var error = new Failure("rejected", "the card was declined", "charge", "item-7", true);
    now = later(Duration.ofMinutes(5));

    land(next(run, new Change.End(RunStatus.FAILED, "{\"partly\":1}", error)));

    Run ended = stored(run);
    assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
    assertThat(ended.output()).isEqualTo("{\"partly\":1}");
    assertThat(ended.error()).isEqualTo(error);
    assertThat(ended.endedAt()).isEqualTo(now);
    assertThat(ended.owner()).isNull();
    assertThat(ended.dueAt()).isNull();
  }

  @Test
  void after_the_end_neither_the_owner_nor_a_wish_lands() {
    NewRun run = running("A-1");
    land(next(run, succeeded()));

    assertThat(commit(owned(run, 1, new Change.Wake()))).isEqualTo(new Lost());
    assertThat(commit(notEnded(run, new Change.Wake()))).isEqualTo(new Lost());
    assertThat(commit(notEnded(run, new Change.RequestCancel(new Run.Cancel("ann", null)))))
        .isEqualTo(new Lost());

    assertThat(stored(run).dueAt()).isNull();
    assertThat(stored(run).cancel()).isNull();
  }

  @Test
  void an_unknown_run_has_no_heads_that_hold() {
    NewRun run = newRun("A-1");

    assertThat(commit(owned(run, 0))).isEqualTo(new Lost());
    assertThat(commit(unowned(run, 0, new Change.Take(OWNER)))).isEqualTo(new Lost());
    assertThat(commit(notEnded(run, new Change.Wake()))).isEqualTo(new Lost());

    assertThat(store.journal(run.number())).isEmpty();
  }

  @Test
  void a_reopened_run_is_queued_and_everything_about_its_end_is_gone() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(new Run.Cancel("ann", "wrong order"))));
    land(
        next(
            run,
            new Change.End(RunStatus.FAILED, null, Failure.of("timeout", "too late", true), true)));
    now = later(Duration.ofHours(1));

    Landed landed = land(unowned(run, 1, new Change.Reopen(null, null, later(Duration.ofDays(1)))));

    Run reopened = stored(run);
    assertThat(reopened.status()).isEqualTo(RunStatus.QUEUED);
    assertThat(reopened.owner()).isNull();
    assertThat(reopened.dueAt()).isEqualTo(now);
    assertThat(reopened.timeoutAt()).isEqualTo(later(Duration.ofDays(1)));
    assertThat(reopened.cancel()).isNull();
    assertThat(reopened.error()).isNull();
    assertThat(reopened.endedAt()).isNull();
    assertThat(reopened.input()).isEqualTo(run.input());
    assertThat(reopened.fingerprints()).containsExactly(run.fingerprint());
    assertThat(landed.woken()).containsExactly(run.number());
  }

  @Test
  void a_corrected_input_counts_beside_the_first_one() {
    NewRun run = running("A-1");
    land(next(run, new Change.End(RunStatus.FAILED, null, null)));
    var corrected = Fingerprint.of("{\"total\":45.00}");

    land(unowned(run, 1, new Change.Reopen("{\"total\":45.00}", corrected, null)));

    assertThat(stored(run).input()).isEqualTo("{\"total\":45.00}");
    assertThat(stored(run).fingerprints()).containsExactly(run.fingerprint(), corrected);
  }

  @Test
  void a_run_that_is_replayed_on_another_release_goes_on_with_it() {
    NewRun run = running("A-1");
    land(next(run, new Change.End(RunStatus.SUCCEEDED, "1", null)));

    land(unowned(run, 1, new Change.Reopen(null, null, null, null, null, run.release() + 1)));

    assertThat(stored(run).release()).isEqualTo(run.release() + 1);
    assertThat(stored(run).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(run).output()).isNull();
  }

  @Test
  void an_input_that_was_there_before_is_not_counted_twice() {
    NewRun run = running("A-1");
    land(next(run, new Change.End(RunStatus.FAILED, null, null)));

    land(unowned(run, 1, new Change.Reopen(run.input(), run.fingerprint(), null)));

    assertThat(stored(run).fingerprints()).containsExactly(run.fingerprint());
  }

  @Test
  void orphans_get_the_new_owner_and_what_waits_or_ended_stays() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    NewRun waits = waiting("A-3");
    NewRun ended = running("A-4");
    land(next(ended, succeeded()));

    var adopted = store.heartbeat(NodeReport.of(OTHER_OWNER)).adopted();

    assertThat(adopted).containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(stored(one).owner()).isEqualTo(OTHER_OWNER);
    assertThat(stored(two).owner()).isEqualTo(OTHER_OWNER);
    assertThat(stored(waits).owner()).isNull();
    assertThat(stored(ended).owner()).isNull();
  }

  private NewRun quarantined(String key) {
    NewRun run = running(key);
    land(next(run, new Change.Quarantine(Failure.of("quarantined", "it ends processes", false))));
    return run;
  }

  @Test
  void a_quarantined_run_is_in_review_and_no_node_adopts_it() {
    NewRun run = quarantined("A-1");

    assertThat(store.heartbeat(NodeReport.of(OTHER_OWNER)).adopted()).isEmpty();
    assertThat(store.heartbeat(new NodeReport(OTHER_OWNER, NodeReport.LEASE, 9, true)).adopted())
        .isEmpty();
    assertThat(stored(run).isQuarantined()).isTrue();
    assertThat(stored(run).status()).isEqualTo(RunStatus.REVIEW);
    assertThat(stored(run).error()).isNotNull();
    assertThat(store.runs(RunFilter.of(run.tenant()).status(RunStatus.REVIEW))).hasSize(1);
    assertThat(store.runs(RunFilter.of(run.tenant()).status(RunStatus.RUNNING))).isEmpty();
    assertThat(commit(owned(run, 1))).as("its former owner").isEqualTo(new Lost());
  }

  @Test
  void what_wakes_a_quarantined_run_is_kept_until_it_is_resumed() {
    NewRun run = quarantined("A-1");

    assertThat(land(notEnded(run, new Change.Wake())).woken()).isEmpty();
    assertThat(store.due(null, later(Duration.ofDays(1)), 10)).isEmpty();
    Landed resumed = land(quarantined(run, new Change.Resume(RunStatus.QUEUED)));

    assertThat(resumed.woken()).containsExactly(run.number());
    assertThat(stored(run).owner()).isNull();
    assertThat(stored(run).error()).isNull();
    assertThat(stored(run).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(store.due(null, later(Duration.ofDays(1)), 10)).hasSize(1);
  }

  @Test
  void a_quarantined_run_can_end() {
    NewRun run = quarantined("A-1");

    land(
        quarantined(
            run,
            new Change.RequestCancel(new Run.Cancel("ann", null)),
            new Change.End(RunStatus.CANCELED, null, null, true)));

    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(stored(run).owner()).isNull();
  }

  @Test
  void after_the_adoption_the_old_owner_writes_nothing_and_the_new_one_goes_on() {
    NewRun run = running("A-1");
    store.heartbeat(NodeReport.of(OTHER_OWNER));

    var old = commit(owned(run, 0));
    var adopter = commit(group(new Head.Owned(run.number(), OTHER_OWNER, 0), ENTRIES));

    assertThat(old).isEqualTo(new Lost());
    assertThat(adopter).isEqualTo(new Landed(List.of(), List.of()));
  }

  @Test
  void a_request_to_a_run_lands_no_matter_which_node_owns_it() {
    NewRun inMemory = running("A-1");
    NewRun waits = waiting("A-2");

    var answers = commit(notEnded(inMemory, new Change.Wake()), notEnded(waits, new Change.Wake()));

    assertThat(answers).hasOnlyElementsOfType(Landed.class);
  }

  private static Change succeeded() {
    return new Change.End(RunStatus.SUCCEEDED, null, null);
  }
}
