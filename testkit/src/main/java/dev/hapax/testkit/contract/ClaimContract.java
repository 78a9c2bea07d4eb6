package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Abandoned;
import dev.hapax.run.journal.ClaimAnswer.Conflict;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.NotPlanned;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import dev.hapax.store.GroupAnswer.Landed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The ledger's answers to a claim, across runs; updates have their own topic. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ClaimContract extends StoreContract {

  @Test
  void a_fresh_key_is_granted_and_its_intent_is_durable() {
    NewRun run = running("A-1");
    Intent intent = create(run, "A-1").content("{\"amount\":40.00}").version(3);

    var answer = claim(intent);

    assertThat(answer).isEqualTo(new Granted(intent.toClaim().number(), 1));
    assertThat(store.effect(intent.effectKey())).isEqualTo(intent.toClaim().granted());
    assertThat(store.effect(intent.toClaim().number())).isEqualTo(intent.toClaim().granted());
  }

  @Test
  void journals_and_effects_of_some_runs_are_read_together() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    NewRun three = running("A-3");
    Granted first = done(create(one, "K"), "1");
    Granted second = done(create(three, "L"), "2");
    var rows = new ArrayList<JournalRow>(store.journal(one.number()));
    rows.addAll(store.journal(three.number()));

    assertThat(store.journals(List.of(three.number(), 5L, one.number())))
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(store.journals(List.of(one.number()))).isEqualTo(store.journal(one.number()));
    assertThat(store.journals(List.of())).isEmpty();
    assertThat(store.effects(List.of(second.effect(), 5L, first.effect())))
        .containsExactlyInAnyOrder(storedEffect(first.effect()), storedEffect(second.effect()));
    assertThat(store.effects(List.of())).isEmpty();
    EffectKey known = storedEffect(first.effect()).key();
    assertThat(
            store.effectsOf(
                List.of(
                    known,
                    new EffectKey(TENANT, "charge", "nobody", null),
                    storedEffect(second.effect()).key(),
                    known)))
        .contains(storedEffect(first.effect()), storedEffect(second.effect()))
        .doesNotContainNull()
        .allMatch(
            effect -> effect.number() == first.effect() || effect.number() == second.effect());
    assertThat(store.effectsOf(List.of())).isEmpty();
    assertThat(store.run(two.number())).isNotNull();
  }

  @Test
  void another_run_reuses_what_is_done() {
    NewRun first = running("A-1");
    Granted done = done(create(first, "K").content("{\"amount\":40.00}"), "{\"charge\":7}");
    NewRun second = running("A-2");

    var answer = claim(create(second, "K").content("{\"amount\":40.00}"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                done.effect(),
                1,
                first.id().toString(),
                "{\"charge\":7}",
                null,
                false,
                false,
                false));
    EffectRecord row = storedEffect(done.effect());
    assertThat(row.run()).isEqualTo(first.number());
    assertThat(row.reusedBy()).isEqualTo(second.number());
  }

  @Test
  void a_replay_sends_only_the_revision_that_its_plan_has_and_leaves_no_trace_of_another() {
    NewRun run = running("A-1");
    var nothing = new ReplayClaim(null, false, null, ReplayClaim.NOTHING);
    var second = new ReplayClaim(null, false, null, 2);

    Intent fresh = create(run, "K").replay(nothing);
    assertThat(claim(fresh)).isEqualTo(new NotPlanned(1));
    assertThat(store.effect(fresh.effectKey())).isNull();

    Granted failed = (Granted) claim(create(run, "K"));
    land(next(run, outcome(failed, EffectState.FAILED)));
    EffectRecord before = storedEffect(failed.effect());
    assertThat(claim(create(run, "K").replay(nothing))).isEqualTo(new NotPlanned(2));
    assertThat(storedEffect(failed.effect())).isEqualTo(before);
    assertThat(claim(create(run, "K").replay(second))).isEqualTo(new Granted(failed.effect(), 2));
  }

  @Test
  void a_replay_sends_only_the_request_that_its_plan_shows() {
    NewRun run = running("A-1");
    Fingerprint shown = Fingerprint.of("{\"price\":1}");
    Fingerprint other = Fingerprint.of("{\"price\":2}");
    var first = new ReplayClaim(null, false, null, 1, shown.hex());
    var second = new ReplayClaim(null, false, null, 2, shown.hex());

    Intent fresh = create(run, "K").content("{\"price\":2}").replay(first);
    assertThat(claim(fresh)).isEqualTo(new NotPlanned(1, shown.hex(), other.hex()));
    assertThat(store.effect(fresh.effectKey())).isNull();
    assertThat(claim(create(run, "K").replay(first)))
        .isEqualTo(new NotPlanned(1, shown.hex(), null));

    Granted failed = (Granted) claim(create(run, "K").content("{\"price\":1}").replay(first));
    land(next(run, outcome(failed, EffectState.FAILED)));
    assertThat(claim(create(run, "K").content("{\"price\":2}").replay(second)))
        .isEqualTo(new NotPlanned(2, shown.hex(), other.hex()));
    assertThat(claim(create(run, "K").content("{\"price\":1}").replay(second)))
        .isEqualTo(new Granted(failed.effect(), 2));
  }

  @Test
  void a_forced_effect_has_one_more_revision_and_not_two() {
    NewRun run = running("A-1");
    Granted done = done(create(run, "K"), "7");
    var forced = new ReplayClaim(null, false, 1, ReplayClaim.ANY);

    Intent again = create(run, "K").replay(forced);
    assertThat(claim(again)).isEqualTo(new Granted(done.effect(), 2));
    land(next(run, again.done(new Granted(done.effect(), 2), "8")));

    assertThat(claim(create(run, "K").replay(forced))).isInstanceOf(Reused.class);
  }

  @Test
  void two_forms_of_one_content_are_the_same_content() {
    done(create(running("A-1"), "K").content("{\"a\":1,\"b\":2}"), "1");

    var answer = claim(create(running("A-2"), "K").content("{\"b\":2, \"a\":1.0}"));

    assertThat(answer).isInstanceOf(Reused.class);
  }

  @Test
  void a_step_that_meets_its_own_effect_reuses_it_with_any_content_and_round() {
    NewRun run = running("A-1");
    Step item = new Step("send", "i-1");
    Granted done = done(create(run, "K").at(item).content("{\"amount\":40.00}"), "7");
    var reused = new Reused(done.effect(), 1, run.id().toString(), "7", null, true, false, false);

    var again = claim(create(run, "K").at(item).content("{\"amount\":45.00}"));
    var nextRound = claim(create(run, "K").at(item.inRound(2)).content("{\"amount\":45.00}"));

    assertThat(again).isEqualTo(reused);
    assertThat(nextRound).isEqualTo(reused);
    assertThat(storedEffect(done.effect()).reusedBy()).isNull();
  }

  @Test
  void another_step_or_item_of_the_run_is_a_second_claimant() {
    NewRun run = running("A-1");
    Step item = new Step("send", "i-1");
    Granted done = done(create(run, "K").at(item).content("{\"to\":1}"), "7");
    EffectRecord before = storedEffect(done.effect());

    for (Step other : List.of(new Step("send", "i-2"), new Step("send", null))) {
      var same = claim(create(run, "K").at(other).content("{\"to\":1}"));
      var another = claim(create(run, "K").at(other).content("{\"to\":2}"));

      assertThat(same)
          .isEqualTo(
              new Reused(done.effect(), 1, run.id().toString(), "7", null, false, false, false));
      assertThat(another)
          .isEqualTo(
              new Conflict(
                  done.effect(),
                  run.id().toString(),
                  "step 'send' of item 'i-1' of the same run claimed it with another request"));
    }
    assertThat(storedEffect(done.effect())).isEqualTo(before);
  }

  @Test
  void two_steps_of_a_run_that_give_no_request_cannot_be_compared() {
    NewRun run = running("A-1");
    done(create(run, "K").at(new Step("first", null)), "7");

    var second = claim(create(run, "K").at(new Step("second", null)));
    var ofAnotherRun = claim(create(running("A-2"), "K").at(new Step("second", null)));

    assertThat(second).isInstanceOf(Conflict.class);
    assertThat(ofAnotherRun).isInstanceOf(Reused.class);
  }

  /** The claim travels with the outcome of the one before it, as in a body with two steps. */
  @Test
  void a_second_claimant_inside_the_run_is_answered_also_in_the_commit_of_the_first_outcome() {
    NewRun run = running("A-1");
    Intent first = create(run, "K").at(new Step("first", null)).content("1");
    Granted granted = granted(first);
    Intent second = create(run, "K").at(new Step("second", null)).content("2");

    Landed landed = land(next(run, first.done(granted, "7"), second.claim()));

    assertThat(landed.answers()).hasSize(1).first().isInstanceOf(Conflict.class);
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void another_runs_key_with_other_content_is_a_conflict() {
    NewRun first = running("A-1");
    Granted done = done(create(first, "K").content("{\"amount\":40.00}"), "7");
    EffectRecord before = storedEffect(done.effect());

    var answer = claim(create(running("A-2"), "K").content("{\"amount\":45.00}"));

    assertThat(answer)
        .isEqualTo(new Conflict(done.effect(), first.id().toString(), "the request differs"));
    assertThat(storedEffect(done.effect())).isEqualTo(before);
  }

  @Test
  void a_key_that_was_used_with_another_kind_is_a_conflict() {
    done(create(running("A-1"), "K"), "7");

    var answer = claim(create(running("A-2"), "K").kind(Kind.NOTIFY));

    assertThat(answer).isInstanceOf(Conflict.class);
  }

  @Test
  void a_key_that_was_used_with_another_guard_is_a_conflict() {
    done(create(running("A-1"), "K"), "7");

    var answer = claim(create(running("A-2"), "K").guard("none"));

    assertThat(answer).isInstanceOf(Conflict.class);
  }

  @Test
  void an_effect_that_its_owner_is_at_is_held() {
    NewRun owner = running("A-1");
    Granted granted = granted(create(owner, "K"));
    NewRun second = running("A-2");
    String byRun = owner.id().toString();

    var whilePending = claim(create(second, "K"));
    land(next(owner, outcome(granted, EffectState.DOUBT)));
    var whileInDoubt = claim(create(second, "K"));
    land(next(owner, outcome(granted, EffectState.REVIEW)));
    var whileInReview = claim(create(second, "K"));

    assertThat(whilePending).isEqualTo(new Held(granted.effect(), byRun, EffectState.PENDING));
    assertThat(whileInDoubt).isEqualTo(new Held(granted.effect(), byRun, EffectState.DOUBT));
    assertThat(whileInReview).isEqualTo(new Held(granted.effect(), byRun, EffectState.REVIEW));
    assertThat(storedEffect(granted.effect()).run()).isEqualTo(owner.number());
  }

  @Test
  void what_failed_is_granted_as_the_next_revision_with_another_wire_key() {
    Granted failed =
        settled(create(running("A-1"), "K").content("{\"card\":1}"), EffectState.FAILED);
    String failedWireKey = storedEffect(failed.effect()).wireKey();
    NewRun second = running("A-2");
    now = later(Duration.ofHours(1));
    Intent corrected = create(second, "K").content("{\"card\":2}");

    var answer = claim(corrected);

    assertThat(answer).isEqualTo(new Granted(failed.effect(), 2));
    EffectRecord row = storedEffect(failed.effect());
    assertThat(row.state()).isEqualTo(EffectState.PENDING);
    assertThat(row.run()).isEqualTo(second.number());
    assertThat(row.request()).isEqualTo("{\"card\":2}");
    assertThat(row.attempts()).isEqualTo(1);
    assertThat(row.firstSentAt()).isEqualTo(now);
    assertThat(row.evidence()).isNull();
    assertThat(row.wireKey()).isNotEqualTo(failedWireKey);
    assertThat(store.effect(corrected.toClaim().number())).isNull();
  }

  @Test
  void what_was_undone_is_granted_as_the_next_revision() {
    NewRun run = running("A-1");
    Granted done = done(create(run, "K"), "7");
    land(next(run, outcome(done, EffectState.UNDONE)));

    var answer = claim(create(running("A-2"), "K"));

    assertThat(answer).isEqualTo(new Granted(done.effect(), 2));
    assertThat(storedEffect(done.effect()).result()).isNull();
  }

  @Test
  void what_was_abandoned_goes_to_review_of_the_claimant_with_the_same_wire_key() {
    Granted abandoned =
        settled(create(running("A-1"), "K").content("{\"card\":1}"), EffectState.ABANDONED);
    EffectRecord before = storedEffect(abandoned.effect());
    NewRun second = running("A-2");

    var answer = claim(create(second, "K").content("{\"card\":2}"));

    assertThat(answer).isEqualTo(new Abandoned(abandoned.effect(), 1, 1));
    EffectRecord row = storedEffect(abandoned.effect());
    assertThat(row.state()).isEqualTo(EffectState.REVIEW);
    assertThat(row.run()).isEqualTo(second.number());
    assertThat(row.request()).isEqualTo("{\"card\":1}");
    assertThat(row.evidence()).isEqualTo("how it went");
    assertThat(row.wireKey()).isEqualTo(before.wireKey());
  }

  @Test
  void the_outcome_and_the_next_intent_travel_in_one_commit() {
    NewRun run = running("A-1");
    Intent charge = create(run, "A-1");
    Granted charged = granted(charge);
    Intent mail = create(run, "A-1").name("mail").kind(Kind.NOTIFY).guard("none");

    Landed landed = land(next(run, charge.done(charged, "7"), mail.claim()));

    assertThat(landed.answers()).containsExactly(new Granted(mail.toClaim().number(), 1));
    assertThat(storedEffect(charged.effect()).state()).isEqualTo(EffectState.DONE);
    assertThat(storedEffect(mail.toClaim().number()).state()).isEqualTo(EffectState.PENDING);
  }

  @Test
  void a_failed_effect_can_be_claimed_again_by_the_commit_that_settles_it() {
    NewRun run = running("A-1");
    Granted first = granted(create(run, "K"));

    Landed landed = land(next(run, outcome(first, EffectState.FAILED), create(run, "K").claim()));

    assertThat(landed.answers()).containsExactly(new Granted(first.effect(), 2));
    assertThat(storedEffect(first.effect()).state()).isEqualTo(EffectState.PENDING);
  }

  @Test
  void a_refused_claim_never_costs_the_outcome_that_travelled_with_it() {
    done(create(running("A-1"), "taken").content("1"), "7");
    NewRun run = running("A-2");
    Intent own = create(run, "own");
    Granted granted = granted(own);

    Landed landed =
        land(next(run, own.done(granted, "8"), create(run, "taken").content("2").claim()));

    assertThat(landed.answers()).hasOnlyElementsOfType(Conflict.class);
    assertThat(storedEffect(granted.effect()).state()).isEqualTo(EffectState.DONE);
  }

  @Test
  void of_two_claimants_in_one_batch_the_first_gets_the_effect() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    Intent first = create(one, "K");

    var answers = commit(next(one, first.claim()), next(two, create(two, "K").claim()));

    long effect = first.toClaim().number();
    assertThat(((Landed) answers.get(0)).answers()).containsExactly(new Granted(effect, 1));
    assertThat(((Landed) answers.get(1)).answers())
        .containsExactly(new Held(effect, one.id().toString(), EffectState.PENDING));
  }

  @Test
  void two_steps_of_one_group_cannot_both_get_one_key() {
    NewRun run = running("A-1");
    Intent first = create(run, "K");

    Landed landed = land(next(run, first.claim(), create(run, "K").claim()));

    assertThat(landed.answers().get(0)).isEqualTo(new Granted(first.toClaim().number(), 1));
    assertThat(landed.answers().get(1)).isInstanceOf(Held.class);
  }

  @Test
  void an_additive_effect_happens_once_per_run() {
    NewRun one = running("A-1");
    NewRun two = running("A-2");
    Granted first = done(create(one, "K").kind(Kind.ADDITIVE), "1");

    var again = claim(create(one, "K").kind(Kind.ADDITIVE));
    Granted ofTwo = granted(create(two, "K").kind(Kind.ADDITIVE));

    assertThat(again).isInstanceOf(Reused.class);
    assertThat(ofTwo.effect()).isNotEqualTo(first.effect());
    assertThat(storedEffect(ofTwo.effect()).wireKey())
        .isNotEqualTo(storedEffect(first.effect()).wireKey());
    assertThat(storedEffect(ofTwo.effect()).key().additiveRun()).isEqualTo(two.id());
  }

  @Test
  void tenants_names_and_keys_do_not_meet() {
    granted(create(running("A-1"), "K"));
    NewRun foreign = newRun("globex", FLOW, "A-1", "{}");
    land(withoutEntries(insert(foreign, OWNER)));

    var otherTenant = claim(create(foreign, "K"));
    var otherName = claim(create(running("A-2"), "K").name("refund"));
    var otherKey = claim(create(running("A-3"), "k"));

    assertThat(otherTenant).isInstanceOf(Granted.class);
    assertThat(otherName).isInstanceOf(Granted.class);
    assertThat(otherKey).isInstanceOf(Granted.class);
  }

  @Test
  void a_claim_of_a_lost_group_registers_no_run_and_grants_nothing() {
    NewRun owner = running("A-1");
    Intent held = create(owner, "held");
    Granted granted = granted(held);
    NewRun loser = waiting("A-2");
    Intent fresh = create(loser, "fresh");

    commit(owned(loser, 0, fresh.claim(), create(loser, "held").claim()));
    Landed settling = land(next(owner, held.done(granted, null)));

    assertThat(store.effect(fresh.effectKey())).isNull();
    assertThat(settling.woken()).isEmpty();
    assertThat(stored(loser).dueAt()).isNull();
  }

  @Test
  void a_reused_effect_keeps_its_external_id() {
    NewRun first = running("A-1");
    Granted granted = granted(create(first, "K"));
    land(
        next(
            first,
            new Change.Effect(
                granted.effect(), 1, EffectState.DONE, 1, "7", "ch_123", "200 OK", null)));

    var answer = claim(create(running("A-2"), "K"));

    assertThat(answer)
        .isEqualTo(
            new Reused(
                granted.effect(), 1, first.id().toString(), "7", "ch_123", false, false, false));
  }
}
