package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectState;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.ClaimAnswer.Expired;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import dev.hapax.store.EffectUse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A ledger row stays as long as a run can ask for it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class LedgerLifeContract extends LedgerContract {

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

    // The earlier claim refers to it, so the row stays for both.
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
            new Change.KeepRuns(TENANT, "quick", Duration.ofDays(1)),
            new Change.KeepRuns(TENANT, "thorough", Duration.ofDays(90)),
            new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofHours(24)),
            new Change.KeepEffects(TENANT, "charge", "quick", Duration.ofHours(24)),
            new Change.KeepEffects(TENANT, "charge", "thorough", Duration.ofHours(1))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Instant end = now;

    goes(run, charge);

    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    assertThat(store.retention().effectKeptUntil(charge.effect()))
        .isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(store.retention().next()).isEqualTo(end.plus(Duration.ofDays(90)));
    assertThat(claim(create(running("A-2"), "K"))).isInstanceOf(Reused.class);
    assertThat(store.retention().uses(TENANT, "charge"))
        .containsExactly(
            new EffectUse(FLOW, DEFAULT, Duration.ofHours(24)),
            new EffectUse("quick", Duration.ofDays(1), Duration.ofHours(24)),
            new EffectUse("thorough", Duration.ofDays(90), Duration.ofHours(1)));
  }

  @Test
  void another_tenants_flows_do_not_keep_an_effect() {
    land(
        always(
            new Change.KeepRuns("other", "thorough", Duration.ofDays(90)),
            new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofHours(24)),
            new Change.KeepEffects("other", "charge", FLOW, Duration.ofDays(70)),
            new Change.KeepEffects("other", "charge", "thorough", Duration.ofHours(1))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");

    goes(run, charge);

    assertThat(store.effect(charge.effect())).isNull();
    assertThat(store.retention().uses(TENANT, "charge"))
        .containsExactly(new EffectUse(FLOW, DEFAULT, Duration.ofHours(24)));
    assertThat(store.retention().uses("other", "charge"))
        .containsExactly(
            new EffectUse(FLOW, DEFAULT, Duration.ofDays(70)),
            new EffectUse("thorough", Duration.ofDays(90), Duration.ofHours(1)));
  }

  @Test
  void a_use_without_a_tenant_counts_for_every_tenant() {
    land(
        always(
            new Change.KeepEffects(RetentionRule.ALL, "charge", FLOW, Duration.ofDays(60)),
            new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofHours(24))));
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    Instant end = now;

    goes(run, charge);

    assertThat(store.retention().effectKeptUntil(charge.effect()))
        .isEqualTo(end.plus(Duration.ofDays(60)));
    assertThat(store.retention().uses(TENANT, "charge"))
        .containsExactly(new EffectUse(FLOW, DEFAULT, Duration.ofDays(60)));
  }

  @Test
  void an_effect_that_is_exported_first_goes_in_a_second_step() {
    NewRun run = running("A-1");
    Granted charge = done(create(run, "K"), "7");
    end(run);
    move(DEFAULT);
    Instant until = now.plus(Duration.ofDays(365));
    var reference = new EffectReference(run.number(), charge.effect(), null);
    land(always(new Change.ExpireRuns(List.of(run.number()), until)));
    land(always(new Change.LeaveEffects(List.of(reference), until, true)));
    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    assertThat(expiring().effects()).containsExactly(charge.effect());

    land(always(new Change.ExpireEffects(List.of(charge.effect()), until, Set.of())));
    assertThat(storedEffect(charge.effect()).result()).isEqualTo("7");
    land(
        always(new Change.ExpireEffects(List.of(charge.effect()), until, Set.of(charge.effect()))));

    assertThat(store.effect(charge.effect())).isNull();
    assertThat(claim(create(running("A-2"), "K"))).isInstanceOf(Expired.class);
  }

  @Test
  void a_window_that_is_longer_than_every_retention_counts() {
    land(
        always(
            new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofDays(40)),
            new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofDays(1))));
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
    land(always(new Change.KeepEffects(TENANT, "charge", FLOW, Duration.ofDays(60))));
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
  void an_open_effect_is_kept_no_matter_which_run_expires() {
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
}
