package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Refused;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Landed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A request to cancel stops new intents, but nothing that is already under way. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class CancelContract extends StoreContract {
  private static final Run.Cancel BY_ANN = new Run.Cancel("ann", "wrong order");

  @Test
  void a_waiting_run_is_woken_by_the_wish() {
    NewRun run = waiting("A-1");

    Landed landed = land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    assertThat(landed.woken()).containsExactly(run.number());
    assertThat(stored(run).cancel()).isEqualTo(BY_ANN);
    assertThat(stored(run).dueAt()).isEqualTo(now);
  }

  @Test
  void a_run_in_memory_finds_the_wish_at_its_release() {
    NewRun run = running("A-1");

    Landed asking = land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    Landed leaving = land(next(run, new Change.Release(RunStatus.WAITING, null)));

    assertThat(asking.woken()).isEmpty();
    assertThat(leaving.woken()).containsExactly(run.number());
    assertThat(stored(run).cancel()).isEqualTo(BY_ANN);
  }

  @Test
  void the_first_wish_stays() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    land(notEnded(run, new Change.RequestCancel(new Run.Cancel("bob", null))));

    assertThat(stored(run).cancel()).isEqualTo(BY_ANN);
  }

  @Test
  void a_wish_needs_no_reason() {
    NewRun run = running("A-1");

    land(notEnded(run, new Change.RequestCancel(new Run.Cancel("bob", null))));

    assertThat(stored(run).cancel()).isEqualTo(new Run.Cancel("bob", null));
  }

  @Test
  void a_claim_after_the_wish_is_refused_while_the_outcome_beside_it_lands() {
    NewRun run = running("A-1");
    Intent first = create(run, "first");
    Granted granted = granted(first);
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    Intent second = create(run, "second");

    Landed landed = land(next(run, first.done(granted, "7"), second.claim()));

    assertThat(landed.answers()).containsExactly(new Refused());
    assertThat(store.effect(second.effectKey())).isNull();
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.DONE);
    JournalRow row = store.journal(run.number()).getLast();
    assertThat(row.readAnswers()).containsExactly(new Refused());
  }

  @Test
  void a_further_attempt_after_the_wish_is_refused_while_the_outcome_beside_it_lands() {
    NewRun run = running("A-1");
    Granted granted = granted(create(run, "K"));
    Intent other = create(run, "other");
    Granted otherGranted = granted(other);
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    Landed landed =
        land(next(run, new Change.Attempt(granted.effect(), 1, 2), other.done(otherGranted, "8")));

    assertThat(landed.answers()).containsExactly(new Refused());
    assertThat(storedEffect(granted.effect()).attempts()).isEqualTo(1);
    assertThat(storedEffect(otherGranted.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void a_refused_claim_of_a_held_effect_registers_no_waiter() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "K");
    Granted granted = granted(held);
    NewRun canceled = running("A-2");
    land(notEnded(canceled, new Change.RequestCancel(BY_ANN)));
    claim(create(canceled, "K"));
    land(withoutEntries(next(canceled, new Change.Release(RunStatus.CANCELING, null))));
    land(withoutEntries(unowned(canceled, 1, new Change.Take(OWNER))));
    land(withoutEntries(next(canceled, new Change.Release(RunStatus.CANCELING, null))));

    Landed landed = land(next(owner, held.done(granted, "7")));

    assertThat(landed.woken()).isEmpty();
  }

  @Test
  void a_success_after_the_wish_is_refused_while_the_outcome_beside_it_lands() {
    refuses(RunStatus.SUCCEEDED);
  }

  @Test
  void a_partial_success_after_the_wish_is_refused_while_the_outcome_beside_it_lands() {
    refuses(RunStatus.PARTIAL);
  }

  private void refuses(RunStatus end) {
    NewRun run = running("A-1");
    Intent effect = create(run, "K");
    Granted granted = granted(effect);
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    Group last = next(run, effect.done(granted, "7"), new Change.End(end, "1", null, true));

    Landed landed = land(last);

    assertThat(landed.answers()).containsExactly(new Answer.NotEnded());
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(stored(run).owner()).isEqualTo(OWNER);
    assertThat(stored(run).output()).isNull();
    assertThat(stored(run).endedAt()).isNull();
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.DONE);
    JournalRow row = store.journal(run.number()).getLast();
    assertThat(row.readAnswers()).containsExactly(new Answer.NotEnded());
    assertThat(land(last).answers()).isEqualTo(landed.answers());
  }

  @Test
  void only_a_run_that_has_noted_the_wish_fails_in_spite_of_it() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    Landed unheard = land(next(run, new Change.End(RunStatus.FAILED, null, null)));
    RunStatus meanwhile = stored(run).status();
    Landed heard = land(next(run, new Change.End(RunStatus.FAILED, null, null, true)));

    assertThat(unheard.answers()).containsExactly(new Answer.NotEnded());
    assertThat(meanwhile).isEqualTo(RunStatus.RUNNING);
    assertThat(heard.answers()).isEmpty();
    assertThat(stored(run).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void a_canceled_run_ends_as_canceled() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    Landed landed = land(next(run, new Change.End(RunStatus.CANCELED, null, null, true)));

    assertThat(landed.answers()).isEmpty();
    assertThat(stored(run).status()).isEqualTo(RunStatus.CANCELED);
  }

  @Test
  void an_end_that_landed_before_the_wish_stays_however_often_it_is_sent() {
    NewRun run = running("A-1");
    Group end = next(run, new Change.End(RunStatus.SUCCEEDED, "1", null));
    land(end);

    GroupAnswer wish = commit(notEnded(run, new Change.RequestCancel(BY_ANN)));

    assertThat(wish).isEqualTo(new GroupAnswer.Lost());
    assertThat(land(end).answers()).isEmpty();
    assertThat(stored(run).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void a_wish_that_has_landed_is_accepted_however_often_it_is_sent() {
    NewRun run = running("A-1");
    Group wish = notEnded(run, new Change.RequestCancel(BY_ANN));
    Landed first = land(wish);
    land(next(run, new Change.End(RunStatus.CANCELED, null, null, true)));

    Landed again = land(wish);

    assertThat(first.answers()).containsExactly(new Answer.Canceling(BY_ANN));
    assertThat(again.answers()).isEqualTo(first.answers());
  }

  @Test
  void a_later_wish_hears_the_first_one() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    Landed later = land(notEnded(run, new Change.RequestCancel(new Run.Cancel("bob", null))));

    assertThat(later.answers()).containsExactly(new Answer.Canceling(BY_ANN));
  }

  @Test
  void a_run_that_compensates_takes_no_wish() {
    NewRun run = running("A-1");
    land(next(run, new Change.Release(RunStatus.COMPENSATING, null)));
    Run before = stored(run);

    Landed landed = land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    assertThat(landed.answers()).containsExactly(new Refused());
    assertThat(landed.woken()).isEmpty();
    assertThat(stored(run)).isEqualTo(before);
  }

  @Test
  void a_step_that_starts_a_run_is_refused_after_the_wish_and_an_alert_is_not() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    NewRun step = newRun("B-1");
    NewRun alert = newRun("B-2");

    Landed landed = land(next(run, new Change.Spawn(step, true), new Change.Spawn(alert)));

    assertThat(landed.answers())
        .containsExactly(new Refused(), new Answer.Spawned(alert.number(), true, true));
    assertThat(store.run(step.number())).isNull();
    assertThat(store.run(alert.number())).isNotNull();
  }

  @Test
  void nothing_reports_an_end_that_was_refused() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    NewRun alert = newRun("B-1");

    Landed landed =
        land(next(run, new Change.End(RunStatus.FAILED, null, null), new Change.Spawn(alert)));

    assertThat(landed.answers()).containsExactly(new Answer.NotEnded(), new Refused());
    assertThat(store.run(alert.number())).isNull();
  }

  @Test
  void a_wish_between_two_groups_of_a_batch_holds_for_the_second() {
    NewRun run = running("A-1");
    Group outcome = owned(run, 0);
    Group wish = notEnded(run, new Change.RequestCancel(BY_ANN));
    Group end = owned(run, 1, new Change.End(RunStatus.SUCCEEDED, "1", null));

    List<GroupAnswer> answers = commit(outcome, wish, end);

    assertThat(answers.getLast()).isEqualTo(new Landed(List.of(new Answer.NotEnded()), List.of()));
    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
  }

  @Test
  void a_reopened_run_claims_again() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    land(next(run, new Change.End(RunStatus.FAILED, null, null, true)));
    land(unowned(run, 1, new Change.Reopen(null, null, null)));
    land(withoutEntries(unowned(run, 2, new Change.Take(OWNER))));

    var answer = claim(create(run, "K"));

    assertThat(answer).isInstanceOf(Granted.class);
  }
}
