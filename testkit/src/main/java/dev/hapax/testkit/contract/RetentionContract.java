package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.run.Tombstone;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Exists;
import dev.hapax.store.GroupAnswer.Expired;
import dev.hapax.store.GroupAnswer.Lost;
import dev.hapax.store.RetentionReads;
import dev.hapax.store.RetentionReads.Counts;
import dev.hapax.store.RetentionReads.Leaving;
import dev.hapax.store.RetentionReads.LeavingKind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs go when their retention is over, and a tombstone stays in their place. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class RetentionContract extends StoreContract {
  private static final Duration DEFAULT = Duration.ofDays(30);
  private static final Duration LIFE = Duration.ofDays(365);

  @Test
  void an_ended_run_can_go_thirty_days_after_its_end() {
    NewRun run = ended("A-1");
    Instant end = now;

    assertThat(store.retention().runKeptUntil(run.number())).isEqualTo(end.plus(DEFAULT));
    assertThat(store.retention().next()).isEqualTo(end.plus(DEFAULT));
    assertThat(expiring(end.plus(DEFAULT).minusMillis(1)).isEmpty()).isTrue();
    assertThat(expiring(end.plus(DEFAULT)).runs()).containsExactly(run.number());
  }

  @Test
  void what_goes_leaves_a_tombstone_and_nothing_else() {
    NewRun run = ended("A-1");
    Instant end = now;
    land(always(new Change.CountDuplicates(run.number(), 2)));
    move(DEFAULT);

    expire(run);

    assertThat(store.run(run.number())).isNull();
    assertThat(store.find(run.id())).isNull();
    assertThat(store.load(run.number())).isNull();
    assertThat(store.journal(run.number())).isEmpty();
    assertThat(store.holder(run.id()))
        .isEqualTo(
            new KeyHolder.Expired(
                new Tombstone(run.number(), run.id(), TENANT, RunStatus.SUCCEEDED, end), false));
    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 0, 0, 0));
    assertThat(store.retention().next()).isEqualTo(now.plus(LIFE));
  }

  @Test
  void a_start_that_comes_at_the_very_moment_meets_the_run_or_its_tombstone() {
    NewRun run = ended("A-1");
    move(DEFAULT);
    NewRun before = newRun("A-1");
    NewRun after = newRun("A-1");

    var answers = commit(insert(before, OWNER), expiring(run), insert(after, OWNER));

    assertThat(answers.getFirst()).isInstanceOf(Exists.class);
    assertThat(answers.getLast()).isInstanceOf(Expired.class);
    assertThat(store.run(before.number())).isNull();
    assertThat(store.run(after.number())).isNull();
  }

  @Test
  void the_key_of_an_expired_run_spawns_nothing() {
    NewRun gone = ended("B");
    Instant end = now;
    move(DEFAULT);
    expire(gone);
    NewRun parent = running("A-1");

    var landed = land(next(parent, new Change.Spawn(newRun("B"))));

    assertThat(landed.answers())
        .containsExactly(new Answer.SpawnExpired(gone.id().toString(), RunStatus.SUCCEEDED, end));
    assertThat(landed.woken()).isEmpty();
  }

  @Test
  void a_run_that_has_not_ended_or_whose_time_is_not_over_stays() {
    NewRun waiting = waiting("A-1");
    NewRun early = ended("A-2");
    move(DEFAULT.minusMillis(1));

    expire(waiting, early);

    assertThat(stored(waiting).status()).isEqualTo(RunStatus.WAITING);
    assertThat(stored(early).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  void a_run_that_goes_on_after_it_was_found_stays() {
    NewRun run = ended("A-1", RunStatus.FAILED);
    move(DEFAULT);
    Group expire = expiring(run);
    land(unowned(run, 1, new Change.Reopen(null, null, null)));

    land(expire);

    assertThat(stored(run).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(store.journal(run.number())).hasSize(2);
    assertThat(store.retention().runKeptUntil(run.number())).isNull();
  }

  @Test
  void a_flow_says_how_long() {
    land(always(new Change.KeepRuns(TENANT, FLOW, Duration.ofHours(1))));
    NewRun run = ended("A-1");

    assertThat(store.retention().keep(TENANT, FLOW)).isEqualTo(Duration.ofHours(1));
    assertThat(store.retention().runKeptUntil(run.number()))
        .isEqualTo(now.plus(Duration.ofHours(1)));
  }

  @Test
  void each_tenant_says_how_long_for_its_own_flow() {
    land(
        always(
            new Change.KeepRuns(RetentionRule.ALL, FLOW, Duration.ofDays(90)),
            new Change.KeepRuns(TENANT, FLOW, Duration.ofHours(1))));
    NewRun own = ended("A-1");
    NewRun other = newRun("other", FLOW, "A-1", "{}");
    land(insert(other, OWNER, new Change.End(RunStatus.SUCCEEDED, null, null)));
    Instant end = now;

    assertThat(store.retention().runKeptUntil(own.number()))
        .isEqualTo(end.plus(Duration.ofHours(1)));
    assertThat(store.retention().runKeptUntil(other.number()))
        .isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(store.retention().keep(TENANT, FLOW)).isEqualTo(Duration.ofHours(1));
    assertThat(store.retention().keep("other", FLOW)).isEqualTo(Duration.ofDays(90));
    assertThat(store.retention().keep("other", "another")).isEqualTo(DEFAULT);

    land(always(new Change.KeepRuns("other", FLOW, Duration.ofDays(100))));
    move(Duration.ofDays(90));
    expire(own, other);

    assertThat(store.run(own.number())).isNull();
    assertThat(stored(other).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(store.retention().runKeptUntil(other.number()))
        .isEqualTo(end.plus(Duration.ofDays(100)));
    assertThat(store.retention().late("other", now, 10)).isEmpty();
  }

  @Test
  void only_a_run_that_was_exported_as_it_is_goes() {
    NewRun exported = ended("A-1");
    NewRun grown = ended("A-2");
    NewRun other = ended("A-3");
    move(DEFAULT);
    var seen = Map.of(exported.number(), 1L, grown.number(), 7L);

    land(
        always(
            new Change.ExpireRuns(
                List.of(exported.number(), grown.number(), other.number()),
                now.plus(DEFAULT),
                seen,
                false)));

    assertThat(store.run(exported.number())).isNull();
    assertThat(stored(grown).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(stored(other).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(expiring(now).runs()).containsExactly(grown.number(), other.number());
  }

  @Test
  void a_person_lets_an_ended_run_go_early_but_none_that_is_held() {
    NewRun over = ended("A-1");
    NewRun open = waiting("A-2");
    NewRun held = running("A-3");
    settled(create(held, "order-1"), EffectState.REVIEW);
    end(held, RunStatus.FAILED);
    Instant until = store.retention().runKeptUntil(held.number());

    land(
        always(
            new Change.ExpireRuns(
                List.of(over.number(), open.number(), held.number()),
                now.plus(DEFAULT),
                null,
                true)));

    assertThat(store.run(over.number())).isNull();
    assertThat(store.holder(over.id())).isInstanceOf(KeyHolder.Expired.class);
    assertThat(stored(open).status()).isEqualTo(RunStatus.WAITING);
    assertThat(stored(held).status()).isEqualTo(RunStatus.FAILED);
    assertThat(store.retention().runKeptUntil(held.number())).isEqualTo(until);
  }

  @Test
  void a_retention_that_became_longer_counts_for_runs_that_have_ended() {
    NewRun run = ended("A-1");
    Instant end = now;
    land(always(new Change.KeepRuns(TENANT, FLOW, Duration.ofDays(60))));
    move(DEFAULT);

    expire(run);

    assertThat(stored(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(expiring(now).isEmpty()).isTrue();
    assertThat(store.retention().runKeptUntil(run.number()))
        .isEqualTo(end.plus(Duration.ofDays(60)));
    move(DEFAULT);
    expire(run);
    assertThat(store.run(run.number())).isNull();
  }

  @Test
  void a_run_that_owns_an_effect_in_review_stays() {
    NewRun run = running("A-1");
    settled(create(run, "order-1"), EffectState.REVIEW);
    end(run, RunStatus.FAILED);
    move(DEFAULT);

    expire(run);

    assertThat(stored(run).status()).isEqualTo(RunStatus.FAILED);
    assertThat(store.journal(run.number())).isNotEmpty();
    assertThat(expiring(now).isEmpty()).isTrue();
    assertThat(expiring(later(Duration.ofDays(1))).runs()).containsExactly(run.number());
  }

  @Test
  void what_goes_is_counted_by_tenant_kind_name_and_day() {
    ended("A-1");
    ended("A-2");
    move(DEFAULT);
    ended("A-3");
    NewRun first = ended("A-4");
    Instant end = now.plus(DEFAULT);

    var due = leaving(Instant.EPOCH, now.plusMillis(1));
    var later = leaving(end, end.plusMillis(1));
    move(DEFAULT);
    expire(first);

    assertThat(due).containsExactly(group(LeavingKind.RUN, FLOW, end.minus(DEFAULT), 2));
    assertThat(later).containsExactly(group(LeavingKind.RUN, FLOW, end, 2));
    assertThat(store.retention().leaving("other", Instant.EPOCH, end, DEFAULT, 10)).isEmpty();
    assertThat(leaving(now.plus(LIFE), now.plus(LIFE).plusMillis(1)))
        .containsExactly(group(LeavingKind.RUN_TOMBSTONE, "", now.plus(LIFE), 1));
    assertThat(store.retention().leaving(TENANT, Instant.EPOCH, now.plus(LIFE), DEFAULT, 1))
        .hasSize(1);
  }

  private List<Leaving> leaving(Instant from, Instant to) {
    return store.retention().leaving(TENANT, from, to, DEFAULT, 100);
  }

  private static Leaving group(LeavingKind kind, String name, Instant at, long count) {
    return new Leaving(kind, name, LocalDate.ofInstant(at, ZoneOffset.UTC), count);
  }

  @Test
  void only_runs_that_are_kept_past_their_time_are_late() {
    NewRun held = running("A-1");
    settled(create(held, "order-1"), EffectState.REVIEW);
    end(held, RunStatus.FAILED);
    move(DEFAULT.minusHours(1));
    ended("A-2");
    move(Duration.ofHours(1));
    assertThat(store.retention().late(TENANT, now, 10)).isEmpty(); // nothing has looked yet

    expire(held);

    assertThat(store.retention().late(TENANT, now, 10)).containsExactly(held.number());
    assertThat(store.retention().late("other", now, 10)).isEmpty();
    assertThat(store.retention().late(TENANT, now, 0)).isEmpty();
  }

  @Test
  void a_child_stays_as_long_as_its_parent() {
    NewRun parent = ended("A-1");
    NewRun child = newRun("A-1/mail").childOf(parent.number(), 1);
    land(insert(child, OWNER, new Change.End(RunStatus.SUCCEEDED, null, null)));
    move(DEFAULT);

    expire(child);
    assertThat(stored(child).status()).isEqualTo(RunStatus.SUCCEEDED);

    expire(parent);
    move(Duration.ofDays(1));
    expire(child);
    assertThat(store.run(child.number())).isNull();
  }

  @Test
  void a_run_whose_owned_effect_is_reused_goes_and_is_still_named() {
    NewRun run = running("A-1");
    done(create(run, "order-1"), "\"ok\"");
    end(run, RunStatus.SUCCEEDED);
    move(DEFAULT);
    expire(run);
    NewRun another = running("A-2");

    var answer = claim(create(another, "order-1"));

    assertThat(answer).isInstanceOf(Reused.class);
    assertThat(((Reused) answer).fromRun()).isEqualTo(run.id().toString());
  }

  @Test
  void an_update_of_a_run_that_is_gone_is_still_found_by_its_origin() {
    NewRun run = running("A-1");
    done(update(run, "price", "1").origin("old"), "\"first\"");
    NewRun newer = running("A-2");
    done(update(newer, "price", "2"), "\"second\"");
    end(run, RunStatus.SUCCEEDED);
    move(DEFAULT);
    expire(run);
    NewRun rerun = running("A-3");

    var answer = claim(update(rerun, "price", "1").origin("old"));

    assertThat(answer).isInstanceOf(Reused.class);
    assertThat(((Reused) answer).fromRun()).isEqualTo(run.id().toString());
    assertThat(((Reused) answer).superseded()).isTrue();
  }

  @Test
  void a_waiter_that_is_gone_wakes_no_run() {
    NewRun owner = running("A-1");
    Granted granted = granted(create(owner, "order-1"));
    NewRun waiter = running("A-2");
    claim(create(waiter, "order-1"));
    end(waiter, RunStatus.CANCELED);
    move(DEFAULT);
    expire(waiter);

    var landed = land(next(owner, outcome(granted, EffectState.DONE)));

    assertThat(landed.woken()).isEmpty();
  }

  @Test
  void a_very_long_journal_goes_in_parts() {
    NewRun run = running("A-1");
    for (int i = 0; i < 1200; i++) {
      land(owned(run, i));
    }
    land(owned(run, 1200, new Change.End(RunStatus.SUCCEEDED, null, null)));
    move(DEFAULT);
    expire(run);

    int commits = 0;
    for (var left = expiring(now); !left.journals().isEmpty(); left = expiring(now)) {
      land(always(new Change.ClearJournals(left.journals())));
      commits++;
    }

    assertThat(store.journal(run.number())).isEmpty();
    assertThat(commits).isLessThan(5);
    assertThat(expiring(now.plus(LIFE)).tombstones()).containsExactly(run.number());
  }

  @Test
  void a_tombstone_goes_when_its_time_is_over_and_the_key_is_free() {
    NewRun run = ended("A-1");
    move(DEFAULT);
    expire(run);
    land(always(new Change.EndTombstones(List.of(run.number()))));
    assertThat(store.holder(run.id())).isNotNull();

    move(LIFE);
    assertThat(expiring(now).tombstones()).containsExactly(run.number());
    land(always(new Change.EndTombstones(List.of(run.number()))));

    assertThat(store.holder(run.id())).isNull();
    assertThat(store.retention().next()).isNull();
    assertThat(store.retention().counts()).isEqualTo(new Counts(1, 1, 0, 0));
    NewRun again = running("A-1");
    assertThat(Objects.requireNonNull(store.find(run.id())).number()).isEqualTo(again.number());
  }

  @Test
  void the_next_generation_begins_only_after_expiry_or_forget() {
    NewRun run = running("A-1");
    NewRun early = next("A-1", run.id(), 1);
    assertThat(commit(insert(early, OWNER))).isEqualTo(new Lost());
    end(run, RunStatus.SUCCEEDED);
    assertThat(commit(insert(early, OWNER))).isEqualTo(new Lost());
    move(DEFAULT);
    expire(run);

    land(insert(early, OWNER));

    assertThat(stored(early).key()).isEqualTo("A-1");
    assertThat(store.holder(run.id())).isInstanceOf(KeyHolder.Expired.class);
  }

  @Test
  void a_generation_whose_predecessor_is_gone_does_not_begin() {
    NewRun run = ended("A-1");
    move(DEFAULT);
    expire(run);
    move(LIFE);
    land(always(new Change.EndTombstones(List.of(run.number()))));

    assertThat(commit(insert(next("A-1", run.id(), 1), OWNER))).isEqualTo(new Lost());
  }

  @Test
  void a_tombstone_stays_as_long_as_anything_of_the_next_generation() {
    NewRun first = ended("A-1");
    move(DEFAULT);
    expire(first);
    NewRun second = next("A-1", first.id(), 1);
    land(insert(second, OWNER));
    move(LIFE);

    land(always(new Change.EndTombstones(List.of(first.number()))));

    assertThat(store.holder(first.id())).isNotNull();
    assertThat(expiring(now).isEmpty()).isTrue();
    end(second, RunStatus.SUCCEEDED);
    move(DEFAULT);
    expire(second);
    move(LIFE);
    land(always(new Change.EndTombstones(List.of(first.number(), second.number()))));
    assertThat(store.holder(second.id())).isNull();
    move(Duration.ofDays(1));
    land(always(new Change.EndTombstones(List.of(first.number()))));
    assertThat(store.holder(first.id())).isNull();
  }

  @Test
  void a_forgotten_key_is_free_and_stays_so_when_its_run_is_gone() {
    NewRun run = ended("A-1");
    land(unowned(run, 1, new Change.ForgetKey(run.number(), "ann", "again")));

    assertThat(Objects.requireNonNull(store.holder(run.id())).isForgotten()).isTrue();
    NewRun second = next("A-1", run.id(), 1);
    land(insert(second, OWNER));
    move(DEFAULT);
    expire(run);

    KeyHolder holder = Objects.requireNonNull(store.holder(run.id()));
    assertThat(holder).isInstanceOf(KeyHolder.Expired.class);
    assertThat(holder.isForgotten()).isTrue();
  }

  @Test
  void a_batch_that_is_submitted_again_lets_go_once() {
    NewRun run = ended("A-1");
    NewRun other = ended("A-2");
    move(DEFAULT);
    Group expire = expiring(run, other);

    assertThat(land(expire)).isEqualTo(land(expire));

    assertThat(store.retention().counts()).isEqualTo(new Counts(2, 0, 0, 0));
    move(LIFE);
    Group endTombstones = always(new Change.EndTombstones(List.of(run.number())));
    land(endTombstones);
    land(endTombstones);
    assertThat(store.retention().counts()).isEqualTo(new Counts(2, 1, 0, 0));
  }

  @Test
  void a_start_that_is_submitted_again_after_its_run_has_gone_is_still_its_own() {
    NewRun run = newRun("A-1");
    Group start = insert(run, OWNER, new Change.End(RunStatus.SUCCEEDED, null, null));
    land(start);
    move(DEFAULT);
    expire(run);

    land(start);

    assertThat(store.run(run.number())).isNull();
  }

  @Test
  void numbers_of_what_is_gone_are_not_made_again() {
    NewRun run = ended("A-1");
    Instant newest = store.newestAt();
    move(DEFAULT);
    expire(run);

    assertThat(store.newestAt()).isAfterOrEqualTo(newest);
  }

  private NewRun ended(String key) {
    return ended(key, RunStatus.SUCCEEDED);
  }

  private NewRun ended(String key, RunStatus status) {
    NewRun run = newRun(key);
    land(insert(run, OWNER, new Change.End(status, null, null)));
    return run;
  }

  private void end(NewRun run, RunStatus status) {
    land(next(run, new Change.End(status, null, null)));
  }

  private NewRun next(String key, RunId predecessor, int generation) {
    NewRun run = newRun(key);
    return run.succeeding(
        RunId.of(TENANT, FLOW, key, null, generation), new Succession(predecessor, true));
  }

  private void move(Duration time) {
    now = now.plus(time);
  }

  private RetentionReads.Expiring expiring(Instant at) {
    return store.retention().expiring(at, 100);
  }

  private Group expiring(NewRun... runs) {
    List<Long> numbers = List.of(runs).stream().map(NewRun::number).toList();
    return always(new Change.ExpireRuns(numbers, now.plus(LIFE)));
  }

  private void expire(NewRun... runs) {
    land(expiring(runs));
  }
}
