package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** People's decisions about effects in review, while their run is in memory. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ReviewContract extends StoreContract {
  @Test
  void a_review_is_decided_though_its_run_is_in_memory() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    NewRun waiter = running("A-2");
    claim(create(waiter, "K"));
    land(withoutEntries(next(waiter, new Change.Release(RunStatus.WAITING, null))));
    Change.Decide decide = decide(run, effect, 1);
    Group group = notEnded(run, decide);

    Landed landed = land(group);

    assertThat(landed.answers()).containsExactly(new Answer.Decided(true));
    assertThat(landed.woken()).containsExactly(waiter.number());
    assertThat(storedEffect(effect.effect()).state()).isEqualTo(EffectState.DONE);
    assertThat(storedEffect(effect.effect()).externalId()).isEqualTo("ext-7");
    assertThat(store.waits().ofRun(run.number())).containsExactly(decide.told());
    assertThat(decide.told().isUnheardReview()).isTrue();
    assertThat(land(group).answers()).isEqualTo(landed.answers());
    assertThat(land(next(run, new Change.Release(RunStatus.REVIEW, null))).woken())
        .containsExactly(run.number());
  }

  @Test
  void a_doubt_that_has_moved_on_is_not_decided() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    land(
        next(
            run,
            outcome(effect, EffectState.PENDING),
            new Change.Attempt(effect.effect(), effect.revision(), 2)));

    assertThat(land(notEnded(run, decide(run, effect, 1))).answers())
        .containsExactly(new Answer.Decided(false)); // it is pending
    Change.Effect again =
        new Change.Effect(
            effect.effect(), effect.revision(), EffectState.REVIEW, 2, null, null, "lost", null);
    land(next(run, again));
    assertThat(land(notEnded(run, decide(run, effect, 1))).answers())
        .containsExactly(new Answer.Decided(false)); // another attempt is in review
    assertThat(store.waits().ofRun(run.number())).isEmpty();
    assertThat(storedEffect(effect.effect()).state()).isEqualTo(EffectState.REVIEW);
    assertThat(land(notEnded(run, decide(run, effect, 2))).answers())
        .containsExactly(new Answer.Decided(true));
  }

  @Test
  void of_two_decisions_the_first_counts() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    Change.Decide first = decide(run, effect, 1);
    land(notEnded(run, first));

    Landed second = land(notEnded(run, decide(run, effect, 1)));

    assertThat(second.answers()).containsExactly(new Answer.Decided(false));
    assertThat(store.waits().ofRun(run.number())).containsExactly(first.told());
  }

  @Test
  void a_decision_is_heard_once() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    Change.Decide decide = decide(run, effect, 1);
    land(notEnded(run, decide));

    land(next(run, new Change.HearDecision(decide.told())));

    assertThat(store.waits().ofRun(run.number())).noneMatch(Wait::isUnheardReview);
  }

  @Test
  void a_run_hears_what_was_decided_before_it_ends() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    Change.Decide decide = decide(run, effect, 1);
    land(notEnded(run, decide));
    var end = new Change.End(RunStatus.SUCCEEDED, "7", null, false);

    land(withoutEntries(next(run, new Change.Release(RunStatus.WAITING, null))));
    long seq = store.journal(run.number()).size();
    land(withoutEntries(unowned(run, seq, new Change.Take(OWNER)))); // it is no longer due
    Landed unheard = land(next(run, end));
    RunStatus before = Objects.requireNonNull(store.load(run.number())).run().status();
    Landed heard = land(next(run, new Change.HearDecision(decide.told()), end));

    assertThat(unheard.answers()).containsExactly(new Answer.NotEnded(true));
    assertThat(before.isEnd()).isFalse();
    assertThat(heard.answers()).isEmpty();
    assertThat(Objects.requireNonNull(store.load(run.number())).run().status())
        .isEqualTo(RunStatus.SUCCEEDED);
  }

  private Granted inReview(NewRun run) {
    Granted granted = granted(create(run, "K"));
    land(next(run, outcome(granted, EffectState.REVIEW)));
    return granted;
  }

  @Test
  void a_decision_and_the_cancel_that_goes_with_it_are_one() {
    NewRun run = running("A-1");
    Granted effect = inReview(run);
    var cancel = new Run.Cancel("ann", "undo it", true);
    Change.Decide tooLate = decide(run, effect, 2, cancel);
    Change.Decide decide = decide(run, effect, 1, cancel);

    assertThat(land(notEnded(run, tooLate)).answers()).containsExactly(new Answer.Decided(false));
    assertThat(stored(run).cancel()).isNull();
    Group group = notEnded(run, decide);
    assertThat(land(group).answers()).containsExactly(new Answer.Decided(true));

    assertThat(stored(run).cancel()).isEqualTo(cancel);
    assertThat(land(group).answers()).containsExactly(new Answer.Decided(true));
    assertThat(land(next(run, new Change.End(RunStatus.SUCCEEDED, "7", null, false))).answers())
        .containsExactly(new Answer.NotEnded());
  }

  private Change.Decide decide(NewRun run, Granted effect, int attempt) {
    return decide(run, effect, attempt, null);
  }

  private Change.Decide decide(
      NewRun run, Granted effect, int attempt, Run.@Nullable Cancel cancel) {
    var after =
        new Change.Effect(
            effect.effect(),
            effect.revision(),
            EffectState.DONE,
            attempt,
            "7",
            "ext-7",
            "happened by ann: seen",
            null);
    Wait told =
        Wait.decidedReview(
            nextNumber(), TENANT, run.number(), new Step("charge", null), "{}", "ann", now);
    return new Change.Decide(after, null, told, cancel);
  }
}
