package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Abandoned;
import dev.hapax.run.journal.ClaimAnswer.Expired;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.EffectTombstone;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RetentionReads.Counts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ledger rows go when no run can ask for them any more, and a tombstone stays in their place. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class LedgerRetentionContract extends LedgerContract {

  @Test
  void what_was_done_leaves_a_tombstone_and_is_not_done_again() {
    NewRun run = running("A-1");
    Granted charge = granted(create(run, "K"));
    land(
        next(
            run,
            new Change.Effect(charge.effect(), 1, EffectState.DONE, 1, "7", "ch_1", null, null)));
    goes(run, charge);

    assertThat(store.effect(charge.effect())).isNull();
    assertThat(store.effect(create(run, "K").effectKey())).isNull();
    assertThat(store.expiredEffect(create(run, "K").effectKey()))
        .isEqualTo(
            new EffectTombstone(charge.effect(), Kind.CREATE, EffectState.DONE, 1, null, "ch_1"));
    assertThat(store.expiredEffect(create(run, "K-2").effectKey())).isNull();
    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 1, 0));
    assertThat(claim(create(running("A-2"), "K")))
        .isEqualTo(new Expired(charge.effect(), 1, EffectState.DONE, "ch_1"));
    assertThat(store.effect(charge.effect())).isNull();
  }

  @Test
  void the_answer_of_a_tombstone_can_be_read_before_the_claim() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted refused = settled(create(run, "K-2"), EffectState.FAILED);
    goes(run, charge, refused);
    NewRun late = running("A-2");

    assertThat(store.expiredAnswer(create(late, "K").toClaim()))
        .isEqualTo(new Expired(charge.effect(), 1, EffectState.DONE, null));
    assertThat(store.expiredAnswer(create(late, "K-2").toClaim()))
        .isEqualTo(new Granted(refused.effect(), 2));
    assertThat(store.expiredAnswer(create(late, "K-3").toClaim())).isNull();
    EffectKey key = create(late, "K-2").effectKey();
    assertThat(store.expiredOf(List.of(create(late, "K-3").effectKey(), key))).containsExactly(key);
    assertThat(store.effect(key)).isNull();
    assertThat(claim(create(late, "K-2"))).isEqualTo(new Granted(refused.effect(), 2));
    assertThat(store.expiredOf(List.of(key))).isEmpty();
  }

  @Test
  void an_effect_that_outlives_its_run_and_tombstones_are_counted_until_they_go() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted kept = settled(create(run, "K-2").name("kept"), EffectState.FAILED);
    land(always(new Change.KeepEffects(TENANT, "kept", FLOW, Duration.ofDays(40))));
    goes(run, charge, kept);

    var leaving = store.retention().leaving(TENANT, now, now.plus(LIFE).plusMillis(1), DEFAULT, 10);

    assertThat(leaving)
        .extracting(RetentionReads.Leaving::kind)
        .containsExactly(
            RetentionReads.LeavingKind.EFFECT,
            RetentionReads.LeavingKind.RUN_TOMBSTONE,
            RetentionReads.LeavingKind.EFFECT_TOMBSTONE);
    assertThat(leaving.getFirst().name()).isEqualTo("kept");
    assertThat(leaving).extracting(RetentionReads.Leaving::count).containsOnly(1L);
  }

  @Test
  void what_failed_or_was_undone_is_sent_again_as_the_next_revision() {
    for (EffectState state : List.of(EffectState.FAILED, EffectState.UNDONE)) {
      NewRun run = running("A-" + state);
      Granted charge = settled(create(run, "K-" + state), state);
      goes(run, charge);

      Intent again = create(running("B-" + state), "K-" + state).content("{\"new\":1}");
      assertThat(claim(again)).isEqualTo(new Granted(charge.effect(), 2));

      EffectRecord row = storedEffect(charge.effect());
      assertThat(row.state()).isEqualTo(EffectState.PENDING);
      assertThat(row.key()).isEqualTo(again.effectKey());
      assertThat(row.run()).isEqualTo(again.run().number());
      assertThat(row.request()).isEqualTo("{\"new\":1}");
      assertThat(row.attempts()).isEqualTo(1);
      assertThat(row.firstSentAt()).isEqualTo(now);
      assertThat(store.effect(again.effectKey())).isEqualTo(row);
    }
  }

  @Test
  void what_was_given_up_in_doubt_goes_to_review_again() {
    NewRun run = running("A-1");
    Granted charge = settled(create(run, "K"), EffectState.ABANDONED);
    goes(run, charge);

    assertThat(claim(create(running("A-2"), "K"))).isEqualTo(new Abandoned(charge.effect(), 1, 1));

    EffectRecord row = storedEffect(charge.effect());
    assertThat(row.state()).isEqualTo(EffectState.REVIEW);
    assertThat(row.revision()).isEqualTo(1);
    assertThat(row.evidence()).contains("may have happened");
  }

  @Test
  void a_run_that_its_flow_wants_to_be_new_does_it_again() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    goes(run, charge);
    NewRun renewed = newRun("A-1").succeeding(generation(1), new Succession(run.id(), true));
    land(withoutEntries(insert(renewed, OWNER)));
    NewRun child = newRun("A-1/child").childOf(renewed.number(), 1);
    land(withoutEntries(insert(child, OWNER)));

    assertThat(claim(create(child, "K"))).isEqualTo(new Granted(charge.effect(), 2));
    assertThat(claim(create(renewed, "K"))).isInstanceOf(Held.class);
  }

  @Test
  void a_run_whose_key_was_forgotten_does_not_do_it_again() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    goes(run, charge);
    land(always(new Change.ForgetKey(run.number(), "ann", "again")));
    NewRun second = newRun("A-1").succeeding(generation(1), new Succession(run.id(), false));
    land(withoutEntries(insert(second, OWNER)));

    assertThat(claim(create(second, "K"))).isInstanceOf(Expired.class);
  }

  @Test
  void an_update_by_other_work_is_the_next_revision_and_a_rerun_of_the_old_is_not_sent() {
    NewRun run = running("A-1");
    Granted price = done(update(run, "price", "1").origin("old"), "1");
    goes(run, new EffectReference(run.number(), price.effect(), originOf("old")));
    assertThat(store.effect(price.effect())).isNull();

    NewRun rerun = running("A-2");
    assertThat(claim(update(rerun, "price", "1").origin("old"))).isInstanceOf(Expired.class);
    NewRun other = running("A-3");
    assertThat(claim(update(other, "price", "1").origin("new")))
        .isEqualTo(new Granted(price.effect(), 2));
  }

  @Test
  void an_update_with_a_newer_version_is_sent_and_no_other() {
    NewRun run = running("A-1");
    Granted price = done(update(run, "price", "1").version(5), "1");
    goes(run, price);

    assertThat(claim(update(running("A-2"), "price", "0").version(4))).isInstanceOf(Expired.class);
    assertThat(claim(update(running("A-3"), "price", "2").version(5))).isInstanceOf(Expired.class);
    assertThat(claim(create(running("A-4"), "price").name("put-price")))
        .isInstanceOf(Expired.class);
    assertThat(claim(update(running("A-5"), "price", "2").version(6)))
        .isEqualTo(new Granted(price.effect(), 2));
    assertThat(storedEffect(price.effect()).version()).isEqualTo(ObjectVersion.of(6));
  }

  @Test
  void an_older_version_is_never_written_over_a_newer_one() {
    NewRun run = running("A-1");
    Granted price = settled(update(run, "price", "1").version(5), EffectState.FAILED);
    goes(run, price);
    NewRun renewed = newRun("A-1").succeeding(generation(1), new Succession(run.id(), true));
    land(withoutEntries(insert(renewed, OWNER)));

    for (NewRun late : List.of(running("A-2"), renewed)) {
      ClaimAnswer answer = claim(update(late, "price", "0").version(4));
      assertThat(answer).isInstanceOf(Reused.class);
      assertThat(((Reused) answer).stale()).isTrue();
    }
  }

  @Test
  void a_revision_is_remembered_as_long_as_a_tombstone_while_others_go_on() {
    NewRun run = running("A-1");
    Granted price = done(update(run, "price", "1").origin("old"), "1");
    NewRun newer = running("A-2");
    done(update(newer, "price", "2").origin("newer"), "2");
    goes(run, new EffectReference(run.number(), price.effect(), originOf("old")));
    assertThat(store.retention().next()).isEqualTo(now.plus(LIFE));
    NewRun rerun = running("A-3");
    assertThat(claim(update(rerun, "price", "1").origin("old"))).isInstanceOf(Reused.class);

    move(LIFE);
    assertThat(expiring().effectTombstones()).isEqualTo(1);
    land(always(new Change.EndEffectTombstones(100)));

    assertThat(expiring().effectTombstones()).isZero();
    assertThat(claim(update(running("A-4"), "price", "1").origin("old")))
        .isInstanceOf(Granted.class);
  }

  @Test
  void what_no_other_run_can_claim_leaves_nothing() {
    NewRun run = running("A-1");
    Intent point = create(run, "K").kind(Kind.ADDITIVE);
    Granted granted = done(point, "7");
    Granted undo = done(create(run, "K").name("charge.undo"), "null");

    goes(run, granted, undo);

    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 2, 0));
    move(LIFE);
    assertThat(expiring().effectTombstones()).isZero();
    assertThat(claim(create(running("A-2"), "K").name("charge.undo"))).isInstanceOf(Granted.class);
  }

  @Test
  void a_tombstone_goes_when_its_time_is_over_and_the_key_is_free() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    goes(run, charge);
    land(always(new Change.EndEffectTombstones(100)));
    assertThat(claim(create(running("A-2"), "K"))).isInstanceOf(Expired.class);

    move(LIFE);
    assertThat(expiring().effectTombstones()).isEqualTo(1);
    Group endTombstones = always(new Change.EndEffectTombstones(100));
    land(endTombstones);
    land(endTombstones);

    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 1, 1));
    Intent fresh = create(running("A-3"), "K");
    assertThat(claim(fresh)).isEqualTo(new Granted(fresh.toClaim().number(), 1));
  }

  @Test
  void tombstones_go_in_bounded_parts() {
    for (int i = 0; i < 5; i++) {
      NewRun run = running("A-" + i);
      goes(run, done(create(run, "K-" + i), "7"));
    }
    move(LIFE);

    land(always(new Change.EndEffectTombstones(2)));

    assertThat(expiring().effectTombstones()).isEqualTo(3);
  }

  @Test
  void a_large_value_that_only_a_gone_effect_had_is_collected() {
    byte[] letter = "a letter".getBytes(StandardCharsets.UTF_8);
    ResourceRef ref = ResourceRef.to(letter);
    land(
        always(
            new Change.StoreResource(
                new ResourcePart(
                    nextNumber(), TENANT, ref, "text/plain", letter.length, 0, letter))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "\"" + ref + "\"");
    end(run);
    move(DEFAULT);
    expireRuns(run);
    land(always(new Change.CollectResources(10)));
    assertThat(store.resource(TENANT, ref)).isNotNull();

    land(left(run, charge));
    land(always(new Change.CollectResources(10)));

    assertThat(store.resource(TENANT, ref)).isNull();
  }

  @Test
  void a_batch_that_is_submitted_again_lets_go_once() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted kept = settled(create(run, "K-2").name("kept"), EffectState.FAILED);
    land(always(new Change.KeepEffects(TENANT, "kept", FLOW, Duration.ofDays(40))));
    end(run);
    move(DEFAULT);
    Group leaving = leaving(run, charge, kept);

    assertThat(land(leaving)).isEqualTo(land(leaving));

    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 1, 0));
    move(Duration.ofDays(10));
    Group expire = always(new Change.ExpireEffects(List.of(kept.effect()), now.plus(LIFE)));
    assertThat(land(expire)).isEqualTo(land(expire));
    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 2, 0));
  }

  @Test
  void a_claim_of_a_tombstone_that_is_submitted_again_answers_the_same() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Granted failed = settled(create(run, "K-2"), EffectState.FAILED);
    goes(run, charge, failed);
    NewRun second = running("A-2");
    Group claims = next(second, create(second, "K").claim(), create(second, "K-2").claim());

    assertThat(land(claims).answers()).isEqualTo(land(claims).answers());

    assertThat(storedEffect(failed.effect()).revision()).isEqualTo(2);
  }
}
