package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.Overtaken;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.journal.ClaimAnswer.ReviewFirst;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An effect that its run undoes: locked while it is being undone, and free for others after. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class UndoContract extends StoreContract {
  private static final Run.Cancel BY_ANN = new Run.Cancel("ann", "wrong order", true);

  @Test
  void the_undo_is_an_effect_of_its_own_and_its_target_is_undoing() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Intent refund = undo(run, "K");

    var answer = undo(refund, charge);

    assertThat(answer).isEqualTo(new Granted(refund.toClaim().number(), 1));
    EffectRecord target = storedEffect(charge.effect());
    assertThat(target.state()).isEqualTo(EffectState.UNDOING);
    assertThat(target.result()).isEqualTo("7");
    EffectRecord row = storedEffect(refund.toClaim().number());
    assertThat(row.state()).isEqualTo(EffectState.PENDING);
    assertThat(row.key().name()).isEqualTo("charge.undo");
    assertThat(row.attempts()).isEqualTo(1);
    assertThat(row.wireKey()).isNotEqualTo(target.wireKey());
  }

  @Test
  void a_claim_of_an_effect_that_is_being_undone_waits_and_then_gets_the_next_revision() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted refund = (Granted) undo(undo(run, "K"), charge);
    NewRun second = running("A-2");

    var held = claim(create(second, "K"));
    land(withoutEntries(next(second, new Change.Release(RunStatus.WAITING, null))));
    Landed undone =
        land(
            next(
                run,
                outcome(refund, EffectState.DONE),
                new Change.AfterUndo(charge.effect(), 1, EffectState.UNDONE)));

    assertThat(held).isEqualTo(new Held(charge.effect(), run.id().toString(), EffectState.UNDOING));
    assertThat(undone.woken()).containsExactly(second.number());
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.UNDONE);
    land(withoutEntries(unowned(second, 1, new Change.Take(OWNER))));
    assertThat(claim(create(second, "K"))).isEqualTo(new Granted(charge.effect(), 2));
  }

  @Test
  void the_own_effect_with_other_content_is_in_review_and_keeps_what_was_sent() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K").content("1"), "7");
    Step later = new Step("charge", null, 2);

    var asked = claim(create(run, "K").content("2").at(later).onRework(OnRework.REVIEW));

    assertThat(asked)
        .isEqualTo(new ClaimAnswer.ReviewRework(charge.effect(), 1, 1, "7", null, false));
    EffectRecord row = storedEffect(charge.effect());
    assertThat(row.state()).isEqualTo(EffectState.REVIEW);
    assertThat(row.revision()).isEqualTo(1);
    assertThat(row.step()).isEqualTo(later);
    assertThat(row.result()).isEqualTo("7");
    assertThat(row.request()).isEqualTo("1");
    NewRun second = running("A-2");
    assertThat(claim(create(second, "K").content("1")))
        .isEqualTo(new Held(charge.effect(), run.id().toString(), EffectState.REVIEW));

    land(next(run, outcome(charge, EffectState.UNDONE)));

    assertThat(claim(create(run, "K").content("2").at(later).onRework(OnRework.REVIEW)))
        .isEqualTo(new Granted(charge.effect(), 2));
    assertThat(storedEffect(charge.effect()).request()).isEqualTo("2");
  }

  @Test
  void the_own_effect_with_other_content_is_undone_first_and_then_claimed_again() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K").content("1"), "7");
    Intent later =
        create(run, "K").content("2").at(new Step("charge", null, 2)).onRework(OnRework.REVISE);

    assertThat(claim(later)).isEqualTo(new ClaimAnswer.UndoFirst(charge.effect(), 1, null));
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.DONE);
    undone(run, "K", charge);

    assertThat(claim(later)).isEqualTo(new Granted(charge.effect(), 2));
  }

  @Test
  void what_could_not_be_undone_is_done_again_with_its_result() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted refund = (Granted) undo(undo(run, "K"), charge);
    NewRun second = running("A-2");
    claim(create(second, "K"));

    land(
        next(
            run,
            outcome(refund, EffectState.FAILED),
            new Change.AfterUndo(charge.effect(), 1, EffectState.DONE)));

    assertThat(claim(create(second, "K")))
        .isEqualTo(
            new Reused(charge.effect(), 1, run.id().toString(), "7", null, false, false, false));
  }

  @Test
  void an_undo_that_failed_is_tried_again_in_the_same_revision() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted refund = (Granted) undo(undo(run, "K"), charge);
    land(
        next(
            run,
            outcome(refund, EffectState.FAILED),
            new Change.AfterUndo(charge.effect(), 1, EffectState.DONE)));

    var again = undo(undo(run, "K"), charge);

    assertThat(again).isEqualTo(refund);
    assertThat(storedEffect(refund.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(storedEffect(refund.effect()).evidence()).isNull();
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.UNDOING);
  }

  @Test
  void what_was_done_again_is_undone_again_in_its_own_revision() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted refund = undone(run, "K", charge);
    NewRun second = running("A-2");
    Granted chargedAgain = done(create(second, "K"), "8");

    var refundedAgain = undo(undo(second, "K"), chargedAgain);

    assertThat(chargedAgain).isEqualTo(new Granted(charge.effect(), 2));
    assertThat(refundedAgain).isEqualTo(new Granted(refund.effect(), 2));
    EffectRecord row = storedEffect(refund.effect());
    assertThat(row.run()).isEqualTo(second.number());
    assertThat(row.revision()).isEqualTo(2);
    assertThat(row.state()).isEqualTo(EffectState.PENDING);
  }

  @Test
  void what_another_run_has_reused_is_undone_only_if_a_person_says_so() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    NewRun reuser = running("A-2");
    claim(create(reuser, "K"));
    Intent refund = undo(run, "K");

    var answer = undo(refund, charge);

    String evidence = "run " + reuser.id() + " has reused its result";
    assertThat(answer).isEqualTo(new ReviewFirst(refund.toClaim().number(), 1, evidence));
    EffectRecord row = storedEffect(refund.toClaim().number());
    assertThat(row.state()).isEqualTo(EffectState.REVIEW);
    assertThat(row.attempts()).isZero();
    assertThat(row.evidence()).isEqualTo(evidence);
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.UNDOING);
    assertThat(store.journal(run.number()).getLast().readAnswers()).containsExactly(answer);
  }

  @Test
  void a_doubt_of_the_run_itself_begins_in_review() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");

    var answer = undo(undo(run, "K"), charge.effect(), 1, 1, "it was there before");

    assertThat(answer).isInstanceOf(ReviewFirst.class);
    assertThat(((ReviewFirst) answer).evidence()).isEqualTo("it was there before");
  }

  @Test
  void what_was_overtaken_is_not_undone() {
    NewRun run = running("A-1");
    Granted price = done(update(run, "P", "1"), "ok");
    NewRun second = running("A-2");
    Granted newer = done(update(second, "P", "2"), "ok");
    Intent back = undo(run, "P").name("put-price.undo");

    var answer = undo(back, price);

    assertThat(newer.revision()).isEqualTo(2);
    assertThat(answer).isInstanceOf(Overtaken.class);
    assertThat(((Overtaken) answer).what()).contains("revision 2");
    assertThat(store.effect(back.effectKey())).isNull();
    assertThat(storedEffect(price.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void what_is_not_there_not_done_or_of_another_run_is_not_undone() {
    NewRun run = running("A-1");
    Granted pending = granted(create(run, "pending"));
    Granted theirs = done(create(running("A-2"), "theirs"), "7");

    assertThat(undo(undo(run, "pending"), pending)).isInstanceOf(Overtaken.class);
    assertThat(undo(undo(run, "theirs"), theirs)).isInstanceOf(Overtaken.class);
    assertThat(undo(undo(run, "none"), new Granted(nextNumber(), 1))).isInstanceOf(Overtaken.class);
    assertThat(storedEffect(pending.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(storedEffect(theirs.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void revisions_that_a_run_made_one_upon_the_other_are_undone_one_after_the_other() {
    NewRun run = running("A-1");
    Granted first = done(update(run, "P", "1").origin("one"), "ok");
    Granted second = done(update(run, "P", "2").origin("two"), "ok");
    long row = first.effect();

    Granted undoSecond = (Granted) undo(undo(run, "P").name("put-price.undo"), second);
    land(
        next(
            run,
            outcome(undoSecond, EffectState.DONE),
            new Change.AfterUndo(row, 2, EffectState.UNDONE)));
    var undoFirst = undo(undo(run, "P").name("put-price.undo"), row, 1, 2, null);
    EffectState meanwhile = storedEffect(row).state();
    land(
        next(
            run,
            outcome((Granted) undoFirst, EffectState.DONE),
            new Change.AfterUndo(row, 2, EffectState.UNDONE)));

    assertThat(undoFirst).isEqualTo(new Granted(undoSecond.effect(), 1));
    assertThat(meanwhile).isEqualTo(EffectState.UNDOING);
    assertThat(storedEffect(row).state()).isEqualTo(EffectState.UNDONE);
    assertThat(storedEffect(row).revision()).isEqualTo(2);
  }

  @Test
  void a_run_that_is_to_be_canceled_still_undoes() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    land(notEnded(run, new Change.RequestCancel(BY_ANN)));

    var answer = (Granted) undo(undo(run, "K"), charge);
    Landed further = land(next(run, new Change.Attempt(answer.effect(), 1, 2, true)));

    assertThat(further.answers()).containsExactly(answer);
    assertThat(storedEffect(answer.effect()).attempts()).isEqualTo(2);
    assertThat(stored(run).cancel()).isEqualTo(BY_ANN);
  }

  @Test
  void an_undo_that_is_not_ours_settles_nothing() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    undo(undo(run, "K"), charge);
    NewRun other = running("A-2");

    var ofAnother =
        commit(next(other, new Change.AfterUndo(charge.effect(), 1, EffectState.UNDONE)));
    var ofAnotherRevision =
        commit(next(run, new Change.AfterUndo(charge.effect(), 2, EffectState.UNDONE)));

    assertThat(ofAnother).isEqualTo(new Lost());
    assertThat(ofAnotherRevision).isEqualTo(new Lost());
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.UNDOING);
  }

  @Test
  void what_is_pending_is_not_settled_as_undone() {
    NewRun run = running("A-1");
    Granted charge = granted(create(run, "K"));

    assertThat(commit(next(run, new Change.AfterUndo(charge.effect(), 1, EffectState.UNDONE))))
        .isEqualTo(new Lost());
  }

  @Test
  void a_group_that_is_lost_undoes_nothing() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Intent refund = undo(run, "K");

    assertThat(commit(owned(run, 7, wish(refund, charge.effect(), 1, 1, null))))
        .isEqualTo(new Lost());

    assertThat(store.effect(refund.effectKey())).isNull();
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void a_batch_that_is_submitted_again_answers_the_same_and_writes_once() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Group asking = next(run, wish(undo(run, "K"), charge.effect(), 1, 1, null));
    Landed asked = land(asking);
    Granted refund = (Granted) asked.answers().getFirst();

    Landed askedAgain = land(asking);
    Group settling =
        next(
            run,
            outcome(refund, EffectState.DONE),
            new Change.AfterUndo(charge.effect(), 1, EffectState.UNDONE));
    land(settling);
    NewRun second = running("A-2");
    Granted chargedAgain = granted(create(second, "K"));
    land(settling);

    assertThat(askedAgain.answers()).isEqualTo(asked.answers());
    assertThat(chargedAgain).isEqualTo(new Granted(charge.effect(), 2));
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(storedEffect(refund.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void an_answer_other_than_granted_is_heard_again_too() {
    NewRun run = running("A-1");
    Granted pending = granted(create(run, "K"));
    Group asking = next(run, wish(undo(run, "K"), pending.effect(), 1, 1, null));

    Landed first = land(asking);
    Landed again = land(asking);

    assertThat(first.answers()).hasOnlyElementsOfType(Overtaken.class);
    assertThat(again.answers()).isEqualTo(first.answers());
  }

  @Test
  void a_compensating_run_keeps_its_word_when_it_comes_into_memory() {
    NewRun run = running("A-1");
    land(next(run, new Change.Release(RunStatus.COMPENSATING, now)));

    land(withoutEntries(unowned(run, 1, new Change.Take(OWNER))));

    assertThat(stored(run).status()).isEqualTo(RunStatus.COMPENSATING);
    assertThat(stored(run).owner()).isEqualTo(OWNER);
    assertThat(stored(run).dueAt()).isNull();
  }

  @Test
  void a_failed_compensation_goes_on_as_one() {
    NewRun run = running("A-1");
    land(next(run, new Change.End(RunStatus.FAILED, null, null)));

    Landed landed =
        land(
            unowned(
                run,
                1,
                new Change.Reopen(null, null, null),
                new Change.Release(RunStatus.COMPENSATING, now)));

    assertThat(landed.woken()).contains(run.number());
    assertThat(stored(run).status()).isEqualTo(RunStatus.COMPENSATING);
    assertThat(due()).containsExactly(run.number());
  }

  private Intent undo(NewRun run, String key) {
    return create(run, key).name("charge.undo").kind(Kind.CREATE).guard("keyed");
  }

  private static Change.Undo wish(
      Intent undo, long target, int revision, int top, @Nullable String doubt) {
    return new Change.Undo(new UndoClaim(undo.toClaim(), target, revision, top, doubt));
  }

  private ClaimAnswer undo(Intent undo, Granted target) {
    return undo(undo, target.effect(), target.revision(), target.revision(), null);
  }

  private ClaimAnswer undo(
      Intent undo, long target, int revision, int top, @Nullable String doubt) {
    Change wish = wish(undo, target, revision, top, doubt);
    return (ClaimAnswer) land(next(undo.run(), wish)).answers().getFirst();
  }

  private Granted undone(NewRun run, String key, Granted target) {
    Granted undo = (Granted) undo(undo(run, key), target);
    land(
        next(
            run,
            outcome(undo, EffectState.DONE),
            new Change.AfterUndo(target.effect(), target.revision(), EffectState.UNDONE)));
    return undo;
  }
}
