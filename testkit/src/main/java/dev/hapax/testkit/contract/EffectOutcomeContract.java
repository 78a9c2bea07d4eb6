package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.store.Change;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import org.junit.jupiter.api.Test;

/** An effect after its claim: further attempts, and its outcome; only its own run writes it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class EffectOutcomeContract extends StoreContract {

  @Test
  void an_outcome_is_stored_and_the_intent_stays() {
    NewRun run = running("A-1");
    Intent intent = create(run, "K").content("{\"amount\":40.00}").version(3);
    Granted granted = granted(intent);

    land(
        next(
            run,
            new Change.Effect(
                granted.effect(), 1, EffectState.DONE, 4, "7", "ch_1", "200 OK", null)));

    EffectRecord claimed = intent.toClaim().granted();
    assertThat(store.effect(intent.effectKey()))
        .isEqualTo(
            new EffectRecord(
                claimed.number(),
                claimed.key(),
                claimed.kind(),
                claimed.guard(),
                EffectState.DONE,
                1,
                claimed.run(),
                claimed.step(),
                4,
                claimed.fingerprint(),
                claimed.request(),
                claimed.version(),
                "7",
                "ch_1",
                claimed.firstSentAt(),
                null,
                "200 OK"));
  }

  @Test
  void every_state_comes_back_as_it_was_written() {
    NewRun run = running("A-1");
    Granted granted = granted(create(run, "K"));

    for (EffectState state : EffectState.values()) {
      land(next(run, outcome(granted, state)));

      assertThat(storedEffect(granted.effect()).state()).isEqualTo(state);
    }
  }

  @Test
  void a_further_attempt_is_granted_and_counted() {
    NewRun run = running("A-1");
    Granted granted = granted(create(run, "K"));

    Landed landed = land(next(run, new Change.Attempt(granted.effect(), 1, 2)));

    assertThat(landed.answers()).containsExactly(granted);
    assertThat(storedEffect(granted.effect()).attempts()).isEqualTo(2);
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.PENDING);
  }

  @Test
  void a_further_attempt_does_not_settle_a_doubt() {
    NewRun run = running("A-1");
    Granted granted = granted(create(run, "K"));
    land(next(run, outcome(granted, EffectState.DOUBT)));

    land(next(run, new Change.Attempt(granted.effect(), 1, 2)));

    EffectRecord row = storedEffect(granted.effect());
    assertThat(row.state()).isEqualTo(EffectState.DOUBT);
    assertThat(row.evidence()).isEqualTo("how it went");
    assertThat(row.attempts()).isEqualTo(2);
  }

  @Test
  void an_outcome_of_another_runs_effect_makes_the_whole_group_lost() {
    Granted theirs = granted(create(running("A-1"), "K"));
    EffectRecord before = storedEffect(theirs.effect());
    NewRun run = running("A-2");
    Intent travelling = create(run, "travelling");

    var answer = commit(next(run, travelling.claim(), outcome(theirs, EffectState.DONE)));

    assertThat(answer).isEqualTo(new Lost());
    assertThat(storedEffect(theirs.effect())).isEqualTo(before);
    assertThat(store.effect(travelling.effectKey())).isNull();
    assertThat(store.journal(run.number())).isEmpty();
  }

  @Test
  void an_attempt_of_another_runs_effect_makes_the_whole_group_lost() {
    Granted theirs = granted(create(running("A-1"), "K"));
    NewRun run = running("A-2");

    var answer = commit(next(run, new Change.Attempt(theirs.effect(), 1, 2)));

    assertThat(answer).isEqualTo(new Lost());
    assertThat(storedEffect(theirs.effect()).attempts()).isEqualTo(1);
    assertThat(store.journal(run.number())).isEmpty();
  }

  @Test
  void a_late_word_about_an_earlier_revision_makes_the_whole_group_lost() {
    NewRun run = running("A-1");
    Granted first = settled(create(run, "K"), EffectState.FAILED);
    granted(create(run, "K"));
    EffectRecord before = storedEffect(first.effect());

    assertThat(commit(next(run, outcome(first, EffectState.DONE)))).isEqualTo(new Lost());
    assertThat(commit(next(run, new Change.Attempt(first.effect(), 1, 2)))).isEqualTo(new Lost());

    assertThat(storedEffect(first.effect())).isEqualTo(before);
  }

  @Test
  void a_word_about_an_effect_that_is_not_there_makes_the_whole_group_lost() {
    NewRun run = running("A-1");
    Granted unknown = new Granted(nextNumber(), 1);

    assertThat(commit(next(run, outcome(unknown, EffectState.DONE)))).isEqualTo(new Lost());
    assertThat(commit(next(run, new Change.Attempt(unknown.effect(), 1, 2)))).isEqualTo(new Lost());

    assertThat(store.journal(run.number())).isEmpty();
  }

  @Test
  void a_run_whose_group_was_lost_to_an_effect_can_go_on() {
    Granted theirs = granted(create(running("A-1"), "K"));
    NewRun run = running("A-2");
    commit(next(run, outcome(theirs, EffectState.DONE)));

    var answer = claim(create(run, "own"));

    assertThat(answer).isInstanceOf(Granted.class);
  }
}
