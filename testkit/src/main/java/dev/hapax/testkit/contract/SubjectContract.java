package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Erased;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxFilter;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.Step;
import dev.hapax.flow.SubjectHash;
import dev.hapax.flow.TextMatch;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer.RunErased;
import dev.hapax.run.journal.Answer.RunErased.Outcome;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values are erased for a person, and nothing is done a second time because of it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class SubjectContract extends StoreContract {
  private static final String CANARY = "ann@example.com";
  private static final SubjectHash ANN = SubjectHash.of(TENANT, CANARY);

  @Test
  void an_erased_run_keeps_its_identity_and_none_of_its_values() {
    NewRun run = aboutAnn("A-" + CANARY);
    Granted charge = charge(run, "K-" + CANARY, "{\"mail\":\"" + CANARY + "\"}");
    end(run);

    Group erase = erase(run, 0);
    assertThat(outcome(erase)).isEqualTo(Outcome.ERASED);
    assertThat(outcome(erase)).isEqualTo(Outcome.ERASED); // an unknown commit is submitted again

    Run erased = stored(run);
    assertThat(erased.isErased()).isTrue();
    assertThat(erased.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(erased.startedWith(run.fingerprint())).isTrue();
    EffectRecord effect = storedEffect(charge.effect());
    assertThat(effect.state()).isEqualTo(EffectState.DONE);
    assertThat(effect.key().isErased()).isTrue();
    assertThat(effect.fingerprint()).isNotNull();
    assertThat(erased.toString() + effect + store.journal(run.number())).doesNotContain(CANARY);
    assertThat(store.holder(run.id())).isInstanceOf(KeyHolder.Present.class);
    assertThat(store.runs(by(TextMatch.exactly(ANN.hex())))).isEmpty();
  }

  @Test
  void a_claim_of_an_erased_effect_gets_no_result_and_sends_nothing() {
    NewRun run = aboutAnn("A-1");
    Granted charge = charge(run, "K-1", "{\"mail\":\"" + CANARY + "\"}");
    String wireKey = storedEffect(charge.effect()).wireKey();
    end(run);
    outcome(erase(run, 0));
    NewRun other = running("A-2");

    ClaimAnswer answer = claim(create(other, "K-1").content("{\"n\":1}"));
    ClaimAnswer differing = claim(create(running("A-3"), "K-1").content("{\"n\":2}"));

    assertThat(answer)
        .isEqualTo(new ClaimAnswer.ResultErased(charge.effect(), 1, run.id().toString(), null));
    assertThat(differing).isInstanceOf(ClaimAnswer.Conflict.class);
    assertThat(storedEffect(charge.effect()).wireKey()).isEqualTo(wireKey);
    assertThat(store.effect(create(other, "K-1").effectKey())).isNotNull();
  }

  @Test
  void a_failed_effect_that_was_erased_is_sent_as_its_next_revision_under_its_own_key() {
    NewRun run = aboutAnn("A-1");
    Granted charge = granted(run, "K-1");
    land(next(run, outcome(charge, EffectState.FAILED)));
    end(run);
    outcome(erase(run, 0));

    Intent again = create(running("A-2"), "K-1").content("{\"n\":1}");
    assertThat(claim(again)).isEqualTo(new Granted(charge.effect(), 2));

    assertThat(storedEffect(charge.effect()).key()).isEqualTo(again.effectKey());
  }

  @Test
  void an_undo_that_was_erased_is_claimed_again_under_its_own_key() {
    NewRun run = aboutAnn("A-1");
    Granted charge = charge(run, "K-1", "7");
    Granted refund = undone(run, charge);
    end(run);
    land(always(new Change.IndexSearch(nextNumber(), 1_000)));
    outcome(erase(run, 0));
    assertThat(storedEffect(refund.effect()).key().isErased()).isTrue();
    NewRun second = running("A-2");
    Granted again = charge(second, "K-1", "8");

    Granted next = undone(second, again);

    assertThat(next).isEqualTo(new Granted(refund.effect(), 2));
    assertThat(storedEffect(next.effect()).key()).isEqualTo(refund(second).effectKey());
    assertThat(store.effects(EffectFilter.of(TENANT).key("K-1"))).hasSize(2);
  }

  @Test
  void an_own_revision_of_an_update_that_was_erased_is_not_written_over_newer_data() {
    NewRun run = aboutAnn("A-1");
    Intent first = update(run, "P", "{\"price\":1}");
    Granted price = claimed(run, first);
    land(next(run, first.done(price, "\"" + CANARY + "\"")));
    end(run);
    outcome(erase(run, 0));
    NewRun second = running("A-2");
    Intent newer = update(second, "P", "{\"price\":2}");
    Granted newest = (Granted) claim(newer);
    land(next(second, newer.done(newest, "2")));

    ClaimAnswer rerun = claim(update(running("A-3"), "P", "{\"price\":1}").origin("A-1"));

    assertThat(rerun).isInstanceOf(ClaimAnswer.ResultErased.class);
    assertThat(storedEffect(price.effect()).revision()).isEqualTo(2);
  }

  @Test
  void a_run_that_is_open_or_owns_a_doubt_stays_as_it_is() {
    NewRun open = aboutAnn("A-1");
    NewRun held = aboutAnn("A-2");
    land(next(held, outcome(granted(held, "K-1"), EffectState.REVIEW)));
    end(held);
    NewRun child = newRun("A-3").childOf(open.number(), 1);
    land(withoutEntries(insert(child, OWNER)));
    end(child);
    Run before = stored(held);

    assertThat(outcome(erase(open, 0))).isEqualTo(Outcome.OPEN);
    assertThat(outcome(erase(held, 0))).isEqualTo(Outcome.HELD);
    assertThat(outcome(erase(child, 0))).isEqualTo(Outcome.OPEN);
    assertThat(outcome(erase("other", open, 0))).isEqualTo(Outcome.GONE);

    assertThat(stored(held)).isEqualTo(before);
    assertThat(stored(open).isErased()).isFalse();
    assertThat(store.runs(by(TextMatch.exactly(ANN.hex())))).hasSize(2);
  }

  @Test
  void a_long_journal_is_erased_in_parts_and_its_run_is_found_until_the_last() {
    eraseInParts(aboutAnn("A-1"));
  }

  @Test
  void a_run_that_declares_no_subject_is_found_by_the_person_until_the_last_part() {
    NewRun run = running(CANARY);
    assertThat(store.runs(by(TextMatch.exactly(ANN.hex())))).isEmpty();

    eraseInParts(run);
  }

  private void eraseInParts(NewRun run) {
    var step = new StepEntry.StepDone(new Step("s", CANARY), '"' + CANARY + '"');
    for (int i = 0; i < 250; i++) {
      Group group = next(run);
      land(
          new Group(
              group.op(),
              group.at(),
              group.head(),
              group.changes(),
              JournalRow.write(List.of(step))));
    }
    end(run);

    var first = (RunErased) land(erase(run, 0)).answers().getFirst();
    assertThat(first.outcome()).isEqualTo(Outcome.MORE);
    assertThat(store.runs(by(TextMatch.exactly(ANN.hex())))).hasSize(1);
    var last = (RunErased) land(erase(run, first.next())).answers().getFirst();

    assertThat(last.outcome()).isEqualTo(Outcome.ERASED);
    assertThat(store.journal(run.number()).toString()).doesNotContain(CANARY);
    assertThat(store.runs(by(TextMatch.exactly(ANN.hex())))).isEmpty();
  }

  @Test
  void events_lose_their_payload_and_still_stop_a_redelivery() {
    NewRun run = newRun("E-1");
    InboxEvent event = event(nextNumber(), "{\"mail\":\"" + CANARY + "\"}");
    land(always(new Change.Receive(event, run, false, InboxOutcome.INVALID, null)));

    land(always(new Change.EraseMentions("other", List.of(event.number()), List.of())));
    assertThat(events().getFirst().payload()).contains(CANARY);
    land(always(new Change.EraseMentions(TENANT, List.of(event.number()), List.of("r-1"))));
    land(
        always(
            new Change.Receive(event(nextNumber(), "{}"), run, false, InboxOutcome.INVALID, null)));

    assertThat(events()).hasSize(1);
    assertThat(events().getFirst().payload()).isEqualTo(Erased.JSON);
    assertThat(events().getFirst().redeliveries()).isEqualTo(1);
  }

  @Test
  void requests_are_remembered_once_and_end_once() {
    ErasureRecord request = request(TENANT);
    land(always(new Change.NoteErasure(request)));
    land(always(new Change.NoteErasure(request.again())));
    land(always(new Change.NoteErasure(request("other"))));

    assertThat(store.erasures().find(request.number())).isEqualTo(request);
    assertThat(store.erasures().all(0, true, 10)).hasSize(2);
    land(always(new Change.EndErasure(request.number(), 3)));
    now = later(Duration.ofDays(1));
    land(always(new Change.EndErasure(request.number(), 0)));

    assertThat(store.erasures().all(0, true, 10)).hasSize(1);
    ErasureRecord ended = store.erasures().list(TENANT, 10).getFirst();
    assertThat(ended.runs()).isEqualTo(3);
    assertThat(ended.endedAt()).isEqualTo(now.minus(Duration.ofDays(1)));
  }

  private ErasureRecord request(String tenant) {
    return new ErasureRecord(
        nextNumber(), tenant, ANN, now, "bob", "she asked", true, false, null, 0);
  }

  private NewRun aboutAnn(String key) {
    NewRun run =
        newRun(TENANT, FLOW, key, "{\"mail\":\"" + CANARY + "\",\"n\":\"" + key + "\"}")
            .foundBy(new SearchFields(Map.of("mail", CANARY)).about(List.of(ANN)));
    land(withoutEntries(insert(run, OWNER)));
    return run;
  }

  private Granted charge(NewRun run, String key, String result) {
    Granted granted = granted(run, key);
    land(next(run, create(run, key).done(granted, result)));
    return granted;
  }

  private Granted granted(NewRun run, String key) {
    return claimed(run, create(run, key).content("{\"n\":1}"));
  }

  private Intent refund(NewRun run) {
    return create(run, "K-1").name("charge.undo");
  }

  private Granted undone(NewRun run, Granted target) {
    EffectClaim refund = refund(run).toClaim();
    var wish = new UndoClaim(refund, target.effect(), target.revision(), target.revision(), null);
    Granted undo = claimed(run, refund, new Change.Undo(wish));
    land(
        next(
            run,
            outcome(undo, EffectState.DONE),
            new Change.AfterUndo(target.effect(), target.revision(), EffectState.UNDONE)));
    return undo;
  }

  /** Claims with the entry by which the run's effects are found. */
  private Granted claimed(NewRun run, Intent intent) {
    return claimed(run, intent.toClaim(), intent.claim());
  }

  private Granted claimed(NewRun run, EffectClaim claim, Change change) {
    var entry =
        new EffectEntry.Claimed(
            claim.step(),
            claim.number(),
            claim.key().name(),
            claim.key().key(),
            claim.kind(),
            claim.guard(),
            claim.origin());
    Group group = next(run, change);
    return (Granted)
        land(new Group(
                group.op(),
                group.at(),
                group.head(),
                group.changes(),
                JournalRow.write(List.of(entry))))
            .answers()
            .getFirst();
  }

  private void end(NewRun run) {
    land(next(run, new Change.End(RunStatus.SUCCEEDED, "{\"to\":\"" + CANARY + "\"}", null)));
  }

  private Group erase(NewRun run, long after) {
    return erase(TENANT, run, after);
  }

  private Group erase(String tenant, NewRun run, long after) {
    return group(
        new Head.Always(),
        null,
        new Change.EraseRun(tenant, ANN, run.number(), after, 7, "bob", "she asked", false));
  }

  private Outcome outcome(Group group) {
    return ((RunErased) land(group).answers().getFirst()).outcome();
  }

  private static RunFilter by(TextMatch text) {
    return RunFilter.of(TENANT).search(RunSearch.NONE.anyField(text));
  }

  private List<InboxEvent> events() {
    return store.events(InboxFilter.of(TENANT));
  }

  private InboxEvent event(long number, String payload) {
    return new InboxEvent(
        number,
        TENANT,
        "shop",
        "evt-1",
        null,
        null,
        payload,
        FLOW,
        InboxOutcome.INVALID,
        null,
        null,
        now,
        0);
  }
}
