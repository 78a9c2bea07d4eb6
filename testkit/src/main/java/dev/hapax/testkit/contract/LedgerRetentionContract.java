package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Kind;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.ClaimAnswer.Abandoned;
import dev.hapax.run.ClaimAnswer.Expired;
import dev.hapax.run.ClaimAnswer.Granted;
import dev.hapax.run.ClaimAnswer.Held;
import dev.hapax.run.ClaimAnswer.Reused;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectReference;
import dev.hapax.run.EffectState;
import dev.hapax.run.NewRun;
import dev.hapax.run.ResourcePart;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.RunId;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Succession;
import dev.hapax.store.Change;
import dev.hapax.store.EffectUse;
import dev.hapax.store.Group;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RetentionReads.Counts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ledger rows go when nobody can ask for them any more, and a tombstone stays in their place. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class LedgerRetentionContract extends StoreContract {
  private static final Duration DEFAULT = Duration.ofDays(30);
  private static final Duration LIFE = Duration.ofDays(365);

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
    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 1, 0));
    assertThat(claim(create(running("A-2"), "K")))
        .isEqualTo(new Expired(charge.effect(), 1, EffectState.DONE, "ch_1"));
    assertThat(store.effect(charge.effect())).isNull();
  }

  @Test
  void a_claim_that_comes_at_the_very_moment_meets_the_row_or_its_tombstone() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    end(run);
    move(DEFAULT);
    NewRun before = running("A-2");
    NewRun after = running("A-3");
    Intent early = create(before, "K");
    Intent late = create(after, "K");

    commit(next(before, early.claim()), leaving(run, charge), next(after, late.claim()));

    // Who came first refers to it, so the row stays for both.
    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.DONE);
    assertThat(store.retention().referring(charge.effect(), 9))
        .containsExactly(before.number(), after.number());
  }

  @Test
  void it_stays_as_long_as_its_run() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    end(run);
    move(DEFAULT.minusMillis(1));

    land(leaving(run, charge));

    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    assertThat(store.retention().referring(charge.effect(), 9)).containsExactly(run.number());
    assertThat(store.retention().effectKeptUntil(charge.effect())).isNull();
  }

  @Test
  void the_longest_retention_of_all_flows_that_share_the_name_counts() {
    land(
        always(
            new Change.KeepRuns("quick", Duration.ofDays(1)),
            new Change.KeepRuns("thorough", Duration.ofDays(90)),
            new Change.KeepEffects("charge", FLOW, Duration.ofHours(24)),
            new Change.KeepEffects("charge", "quick", Duration.ofHours(24)),
            new Change.KeepEffects("charge", "thorough", Duration.ofHours(1))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Instant end = now;

    goes(run, charge);

    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    assertThat(store.retention().effectKeptUntil(charge.effect()))
        .isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(store.retention().next()).isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(claim(create(running("A-2"), "K"))).isInstanceOf(Reused.class);
    assertThat(store.retention().uses("charge"))
        .containsExactly(
            new EffectUse(FLOW, DEFAULT, Duration.ofHours(24)),
            new EffectUse("quick", Duration.ofDays(1), Duration.ofHours(24)),
            new EffectUse("thorough", Duration.ofDays(90), Duration.ofHours(1)));
  }

  @Test
  void a_window_that_is_longer_than_every_retention_counts() {
    land(
        always(
            new Change.KeepEffects("charge", FLOW, Duration.ofDays(40)),
            new Change.KeepEffects("charge", FLOW, Duration.ofDays(1))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    goes(run, charge);
    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    move(Duration.ofDays(10).minusMillis(1));
    assertThat(expiring().effects()).isEmpty();
    expireEffects(charge);
    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");

    move(Duration.ofMillis(1));
    assertThat(expiring().effects()).containsExactly(charge.effect());
    expireEffects(charge);

    assertThat(store.effect(charge.effect())).isNull();
    assertThat(expiring().effects()).isEmpty();
  }

  @Test
  void it_stays_as_long_as_a_run_that_has_reused_it() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    NewRun second = running("A-2");
    claim(create(second, "K"));
    NewRun third = running("A-3");
    claim(create(third, "K"));
    end(third);

    goes(run, charge);
    expireRuns(third);
    land(left(third, charge));
    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    assertThat(store.retention().referring(charge.effect(), 9)).containsExactly(second.number());

    goes(second, charge);
    assertThat(store.effect(charge.effect())).isNull();
    assertThat(claim(create(running("A-4"), "K"))).isInstanceOf(Expired.class);
  }

  @Test
  void its_life_begins_at_the_last_end_whichever_run_goes_last() {
    land(always(new Change.KeepEffects("charge", FLOW, Duration.ofDays(60))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    NewRun second = running("A-2");
    claim(create(second, "K"));
    end(run);
    move(Duration.ofDays(20));
    end(second);
    Instant lastEnd = now;
    move(DEFAULT);
    expireRuns(second);
    land(left(second, charge));

    expireRuns(run);
    land(left(run, charge));

    assertThat(store.retention().effectKeptUntil(charge.effect()))
        .isEqualTo(lastEnd.plus(Duration.ofDays(60)));
  }

  @Test
  void it_stays_for_a_run_that_waits_for_it() {
    NewRun run = running("A-1");
    Granted charge = granted(create(run, "K"));
    NewRun waiter = running("A-2");
    assertThat(claim(create(waiter, "K"))).isInstanceOf(Held.class);
    land(next(run, outcome(charge, EffectState.DONE)));

    goes(run, charge);

    assertThat(claim(create(waiter, "K"))).isInstanceOf(Reused.class);
  }

  @Test
  void it_stays_for_the_run_that_had_it_before() {
    NewRun run = running("A-1");
    Granted charge = settled(create(run, "K"), EffectState.FAILED);
    NewRun second = running("A-2");
    Granted again = done(create(second, "K"), "8");

    goes(second, again);

    assertThat(storedEffect(charge.effect()).revision()).isEqualTo(2);
    assertThat(store.retention().referring(charge.effect(), 9)).containsExactly(run.number());
  }

  @Test
  void what_is_open_stays_whoever_leaves_it() {
    NewRun run = running("A-1");
    Granted charge = settled(create(run, "K"), EffectState.FAILED);
    NewRun second = running("A-2");
    granted(create(second, "K"));

    goes(run, charge);
    move(LIFE);
    expireEffects(charge);

    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.PENDING);
    assertThat(expiring().effects()).isEmpty();
  }

  @Test
  void what_is_in_review_stays_with_its_run() {
    NewRun run = running("A-1");
    Granted charge = settled(create(run, "K"), EffectState.REVIEW);

    goes(run, charge);

    assertThat(storedEffect(charge.effect()).state()).isEqualTo(EffectState.REVIEW);
    assertThat(store.retention().openEffects(run.number())).containsExactly(charge.effect());
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
    assertThat(storedEffect(price.effect()).version()).isEqualTo(6);
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
    land(always(new Change.KeepEffects("kept", FLOW, Duration.ofDays(40))));
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

  @Test
  void the_journals_that_go_next_can_be_read() {
    NewRun run = running("A-1");
    land(next(run, create(run, "K").claim()));

    assertThat(store.retention().journals(List.of(run.number())))
        .allSatisfy(row -> assertThat(row.run()).isEqualTo(run.number()));
  }

  @Test
  void numbers_of_what_is_gone_are_not_made_again() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Instant newest = store.newestAt();
    goes(run, charge);

    assertThat(store.newestAt()).isAfterOrEqualTo(newest);
  }

  private void end(NewRun run) {
    land(next(run, new Change.End(RunStatus.SUCCEEDED, null, null)));
  }

  private void move(Duration time) {
    now = now.plus(time);
  }

  /** The run ends, its retention passes, and it leaves what it has claimed. */
  private void goes(NewRun run, Granted... effects) {
    end(run);
    move(DEFAULT);
    land(leaving(run, effects));
  }

  private void goes(NewRun run, EffectReference reference) {
    end(run);
    move(DEFAULT);
    expireRuns(run);
    land(always(new Change.LeaveEffects(List.of(reference), now.plus(LIFE))));
  }

  private Group leaving(NewRun run, Granted... effects) {
    return always(
        new Change.ExpireRuns(List.of(run.number()), now.plus(LIFE)), leave(run, effects));
  }

  private Group left(NewRun run, Granted... effects) {
    return always(leave(run, effects));
  }

  private Change leave(NewRun run, Granted... effects) {
    List<EffectReference> references =
        List.of(effects).stream()
            .map(effect -> new EffectReference(run.number(), effect.effect(), null))
            .toList();
    return new Change.LeaveEffects(references, now.plus(LIFE));
  }

  private void expireRuns(NewRun run) {
    land(always(new Change.ExpireRuns(List.of(run.number()), now.plus(LIFE))));
  }

  private void expireEffects(Granted effect) {
    land(always(new Change.ExpireEffects(List.of(effect.effect()), now.plus(LIFE))));
  }

  private RetentionReads.Expiring expiring() {
    return store.retention().expiring(now, 100);
  }

  private RunId generation(int generation) {
    return RunId.of(TENANT, FLOW, "A-1", null, generation);
  }

  private String originOf(String origin) {
    return String.valueOf(create(newRun("any"), "any").origin(origin).toClaim().origin());
  }
}
