package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.ClaimAnswer.Granted;
import dev.hapax.run.ClaimAnswer.Refused;
import dev.hapax.run.EffectState;
import dev.hapax.run.JournalRow;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.Change;
import dev.hapax.store.GroupAnswer.Landed;
import org.junit.jupiter.api.Test;

/** A wish to cancel stops new intents, and nothing that is already under way. */
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
  void a_reopened_run_claims_again() {
    NewRun run = running("A-1");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));
    land(next(run, new Change.End(RunStatus.FAILED, null, null)));
    land(unowned(run, 1, new Change.Reopen(null, null, null)));
    land(withoutEntries(unowned(run, 2, new Change.Take(OWNER))));

    var answer = claim(create(run, "K"));

    assertThat(answer).isInstanceOf(Granted.class);
  }
}
