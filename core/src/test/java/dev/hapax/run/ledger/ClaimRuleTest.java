package dev.hapax.run.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.ClaimAnswer.Abandoned;
import dev.hapax.run.journal.ClaimAnswer.Conflict;
import dev.hapax.run.journal.ClaimAnswer.Granted;
import dev.hapax.run.journal.ClaimAnswer.Held;
import dev.hapax.run.journal.ClaimAnswer.Reused;
import dev.hapax.run.ledger.ClaimRule.Revision;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A second claimant of the same effect key, for every kind of effect. */
class ClaimRuleTest {
  private static final Instant SENT = Instant.parse("2026-03-01T10:00:00Z");
  private static final Instant NOW = Instant.parse("2026-03-02T10:00:00Z");
  private static final EffectKey KEY = new EffectKey("acme", "charge", "A-1", null);
  private static final long OWNER = 11;
  private static final long CLAIMANT = 12;
  private static final String OWNER_ID = "r-owner";

  @ParameterizedTest
  @EnumSource(names = {"PENDING", "DOUBT", "REVIEW", "UNDOING"})
  void an_open_effect_is_held_by_its_owner(EffectState state) {
    var ruled = decide(row(state, Kind.CREATE, "1", null), claim(Kind.CREATE, "1", null));

    assertThat(ruled).isEqualTo(new ClaimRule(new Held(7, OWNER_ID, state), null));
  }

  @ParameterizedTest
  @EnumSource(names = {"FAILED", "UNDONE"})
  void what_failed_or_was_undone_is_the_next_revision_of_the_claimant(EffectState state) {
    EffectClaim claim = claim(Kind.CREATE, "2", null);

    var ruled = decide(row(state, Kind.CREATE, "1", null), claim);

    assertThat(ruled.answer()).isEqualTo(new Granted(7, 4));
    assertThat(ruled.change())
        .isEqualTo(
            new EffectRecord(
                7,
                KEY,
                Kind.CREATE,
                "keyed",
                EffectState.PENDING,
                4,
                CLAIMANT,
                claim.step(),
                1,
                claim.fingerprint(),
                "2",
                null,
                null,
                null,
                NOW,
                null,
                null));
  }

  @Test
  void what_was_abandoned_is_in_review_again_with_everything_that_was_sent() {
    EffectRecord row = row(EffectState.ABANDONED, Kind.CREATE, "1", 5L);

    var ruled = decide(row, claim(Kind.CREATE, "2", 6L));

    assertThat(ruled.answer()).isEqualTo(new Abandoned(7, 3, 2));
    EffectRecord change = changeOf(ruled);
    assertThat(change.state()).isEqualTo(EffectState.REVIEW);
    assertThat(change.run()).isEqualTo(CLAIMANT);
    assertThat(change.wireKey()).isEqualTo(row.wireKey());
    assertThat(change.request()).isEqualTo("1");
    assertThat(change.firstSentAt()).isEqualTo(SENT);
    assertThat(change.attempts()).isEqualTo(2);
    assertThat(change.evidence()).isEqualTo("evidence");
  }

  @Test
  void what_a_step_has_given_up_is_not_another_request_of_the_same_run() {
    EffectRecord row = row(EffectState.ABANDONED, Kind.CREATE, "1", null);
    var other = new Step("charge-again", null);

    assertThat(decide(row, claimAs(other, "2")))
        .isEqualTo(
            new ClaimRule(
                new Conflict(
                    7, OWNER_ID, "step 'charge' of the same run claimed it with another request"),
                null));
    assertThat(decide(row, claimAs(other, "1")).answer()).isInstanceOf(Abandoned.class);
    assertThat(decide(row, claimAs(new Step("charge", null, 2), "2")).answer())
        .isInstanceOf(Abandoned.class);
  }

  @Test
  void done_with_the_same_content_is_reused_and_the_row_says_by_whom() {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);

    var ruled = decide(row, claim(Kind.CREATE, "1", null));

    assertThat(ruled.answer()).isEqualTo(reused(false, false));
    assertThat(changeOf(ruled).reusedBy()).isEqualTo(CLAIMANT);
    assertThat(changeOf(ruled).run()).isEqualTo(OWNER);
  }

  @Test
  void unstated_content_is_the_same_content() {
    var ruled =
        decide(row(EffectState.DONE, Kind.NOTIFY, null, null), claim(Kind.NOTIFY, null, null));

    assertThat(ruled.answer()).isEqualTo(reused(false, false));
  }

  @Test
  void done_with_other_content_is_a_conflict() {
    var ruled =
        decide(row(EffectState.DONE, Kind.CREATE, "1", null), claim(Kind.CREATE, "2", null));

    assertThat(ruled)
        .isEqualTo(new ClaimRule(new Conflict(7, OWNER_ID, "the request differs"), null));
  }

  @Test
  void a_step_that_meets_its_own_effect_reuses_it_with_any_content_and_round() {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);

    var again = decide(row, claimAs(new Step("charge", null), "2"));
    var nextRound = decide(row, claimAs(new Step("charge", null, 2), "2"));

    assertThat(again).isEqualTo(new ClaimRule(reused(true, false), null));
    assertThat(nextRound).isEqualTo(new ClaimRule(reused(true, false), null));
  }

  @Test
  void another_step_or_item_of_the_run_is_a_second_claimant() {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);

    for (Step other : List.of(new Step("charge-again", null), new Step("charge", "item-2"))) {
      assertThat(decide(row, claimAs(other, "1")))
          .isEqualTo(new ClaimRule(reused(false, false), null));
      assertThat(decide(row, claimAs(other, "2")))
          .isEqualTo(
              new ClaimRule(
                  new Conflict(
                      7, OWNER_ID, "step 'charge' of the same run claimed it with another request"),
                  null));
    }
  }

  @Test
  void two_steps_of_a_run_that_give_no_request_cannot_be_compared() {
    EffectRecord row = row(EffectState.DONE, Kind.NOTIFY, null, null);
    var other = claimBy(OWNER, Kind.NOTIFY, "keyed", null, null);

    assertThat(decide(row, other).answer())
        .isEqualTo(
            new Conflict(
                7,
                OWNER_ID,
                "step 'charge' of the same run claimed it, and no request is given to compare"));
  }

  @Test
  void another_kind_or_guard_is_a_conflict_even_for_the_owner() {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);

    var otherKind = decide(row, claimBy(OWNER, Kind.NOTIFY, "keyed", "1", null));
    var otherGuard = decide(row, claimBy(OWNER, Kind.CREATE, "none", "1", null));

    assertThat(otherKind.answer())
        .isEqualTo(new Conflict(7, OWNER_ID, "kind was CREATE, now NOTIFY"));
    assertThat(otherGuard.answer())
        .isEqualTo(new Conflict(7, OWNER_ID, "guard was 'keyed', now 'none'"));
  }

  @Test
  void an_update_with_the_same_content_is_reused() {
    var ruled =
        decide(row(EffectState.DONE, Kind.UPDATE, "1", null), claim(Kind.UPDATE, "1", null));

    assertThat(ruled.answer()).isEqualTo(reused(false, false));
  }

  @Test
  void an_update_with_other_content_is_the_next_revision_also_for_the_owner() {
    EffectRecord row = row(EffectState.DONE, Kind.UPDATE, "1", null);

    assertThat(decide(row, claim(Kind.UPDATE, "2", null)).answer()).isEqualTo(new Granted(7, 4));
    assertThat(decide(row, claimBy(OWNER, Kind.UPDATE, "keyed", "2", null)).answer())
        .isEqualTo(new Granted(7, 4));
  }

  @Test
  void a_rerun_of_the_newest_update_reuses_it() {
    EffectRecord row = row(EffectState.DONE, Kind.UPDATE, "1", null);
    var own = new Revision(3, Fingerprint.of("1"), "result", OWNER_ID);

    var ruled = ClaimRule.decide(row, OWNER_ID, claim(Kind.UPDATE, "2", null), own);

    assertThat(ruled.answer()).isEqualTo(reused(true, false));
  }

  @Test
  void a_rerun_of_an_overtaken_update_gets_its_own_result_as_superseded() {
    EffectRecord row = row(EffectState.DONE, Kind.UPDATE, "2", null);
    var own = new Revision(1, Fingerprint.of("1"), "old result", "r-old");

    var ruled = ClaimRule.decide(row, OWNER_ID, claim(Kind.UPDATE, "1", null), own);

    assertThat(ruled)
        .isEqualTo(
            new ClaimRule(new Reused(7, 1, "r-old", "old result", null, false, true, false), null));
  }

  @Test
  void a_rerun_of_an_update_that_a_failed_one_followed_gets_its_own_result() {
    EffectRecord row = row(EffectState.FAILED, Kind.UPDATE, "2", null);
    var own = new Revision(1, Fingerprint.of("1"), "old result", "r-old");

    var ruled = ClaimRule.decide(row, OWNER_ID, claim(Kind.UPDATE, "1", null), own);

    assertThat(ruled)
        .isEqualTo(
            new ClaimRule(
                new Reused(7, 1, "r-old", "old result", null, false, false, false), null));
  }

  @Test
  void a_newer_version_is_sent_an_older_one_is_stale_an_equal_one_is_a_conflict() {
    EffectRecord row = row(EffectState.DONE, Kind.UPDATE, "1", 5L);

    assertThat(decide(row, claim(Kind.UPDATE, "2", 6L)).answer()).isEqualTo(new Granted(7, 4));
    assertThat(decide(row, claim(Kind.UPDATE, "2", 4L)).answer()).isEqualTo(reused(true, true));
    assertThat(decide(row, claim(Kind.UPDATE, "2", 5L)).answer())
        .isEqualTo(new Conflict(7, OWNER_ID, "version 5 has another content"));
  }

  @Test
  void an_equal_version_with_other_content_is_sent_if_the_claim_applies_ties() {
    EffectRecord row = row(EffectState.DONE, Kind.UPDATE, "1", 5L);

    assertThat(decide(row, tied("2", 5)).answer()).isEqualTo(new Granted(7, 4));
    assertThat(decide(row, tied("1", 5)).answer()).isEqualTo(reused(false, false));
    assertThat(decide(row, tied("2", 4)).answer()).isEqualTo(reused(true, true));
  }

  private static EffectClaim tied(String content, long version) {
    return new EffectClaim(
        8,
        KEY,
        Kind.UPDATE,
        "keyed",
        CLAIMANT,
        new Step("charge-again", null),
        Fingerprint.of(content),
        content,
        ObjectVersion.of(version),
        "origin",
        NOW,
        true,
        OnRework.REUSE);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"CREATE", "NOTIFY"})
  void the_own_effect_with_other_content_follows_the_rule_of_its_contract(Kind kind) {
    EffectRecord row = row(EffectState.DONE, kind, "1", null);

    assertThat(decide(row, again(kind, "2", OnRework.REUSE)).answer())
        .isEqualTo(reused(true, false));
    assertThat(decide(row, again(kind, "2", OnRework.REVISE)))
        .isEqualTo(new ClaimRule(new ClaimAnswer.UndoFirst(7, 3, "ext-1"), null));
    ClaimRule asked = decide(row, again(kind, "2", OnRework.REVIEW));
    assertThat(asked.answer())
        .isEqualTo(
            new ClaimAnswer.ReviewRework(7, 3, 2, "result", "ext-1", row.reusedBy() != null));
    EffectRecord change = changeOf(asked);
    assertThat(change.state()).isEqualTo(EffectState.REVIEW);
    assertThat(change.revision()).isEqualTo(3);
    assertThat(change.result()).isEqualTo("result");
    assertThat(change.request()).isEqualTo("1");
    assertThat(change.step()).isEqualTo(new Step("charge", null, 2));
  }

  @ParameterizedTest
  @EnumSource(OnRework.class)
  void the_own_effect_with_equal_content_is_reused_by_every_rule(OnRework rule) {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);

    assertThat(decide(row, again(Kind.CREATE, "1", rule)).answer()).isEqualTo(reused(false, false));
  }

  @ParameterizedTest
  @EnumSource(OnRework.class)
  void another_run_with_other_content_is_a_conflict_by_every_rule(OnRework rule) {
    EffectRecord row = row(EffectState.DONE, Kind.CREATE, "1", null);
    EffectClaim own = again(Kind.CREATE, "2", rule);
    var foreign =
        new EffectClaim(
            9,
            KEY,
            Kind.CREATE,
            "keyed",
            CLAIMANT,
            own.step(),
            own.fingerprint(),
            "2",
            null,
            null,
            NOW,
            false,
            rule);

    assertThat(decide(row, foreign).answer())
        .isEqualTo(new Conflict(7, OWNER_ID, "the request differs"));
  }

  /** The owner's own step, in the second round. */
  private static EffectClaim again(Kind kind, String content, OnRework rule) {
    return new EffectClaim(
        8,
        KEY,
        kind,
        "keyed",
        OWNER,
        new Step("charge", null, 2),
        Fingerprint.of(content),
        content,
        null,
        null,
        NOW,
        false,
        rule);
  }

  private static ClaimRule decide(EffectRecord row, EffectClaim claim) {
    return ClaimRule.decide(row, OWNER_ID, claim, null);
  }

  private static EffectRecord changeOf(ClaimRule ruled) {
    return Objects.requireNonNull(ruled.change());
  }

  private static Reused reused(boolean contentDiffers, boolean stale) {
    return new Reused(7, 3, OWNER_ID, "result", "ext-1", contentDiffers, false, stale);
  }

  /** Effect 7 in revision 3, after two attempts. */
  private static EffectRecord row(
      EffectState state, Kind kind, @Nullable String content, @Nullable Long version) {
    return new EffectRecord(
        7,
        KEY,
        kind,
        "keyed",
        state,
        3,
        OWNER,
        new Step("charge", null),
        2,
        content == null ? null : Fingerprint.of(content),
        content,
        versionOf(version),
        "result",
        "ext-1",
        SENT,
        null,
        "evidence");
  }

  private static @Nullable ObjectVersion versionOf(@Nullable Long number) {
    return number == null ? null : ObjectVersion.of(number);
  }

  private static EffectClaim claim(Kind kind, @Nullable String content, @Nullable Long version) {
    return claimBy(CLAIMANT, kind, "keyed", content, version);
  }

  private static EffectClaim claimBy(
      long run, Kind kind, String guard, @Nullable String content, @Nullable Long version) {
    var fingerprint = content == null ? null : Fingerprint.of(content);
    var step = new Step("charge-again", null);
    return new EffectClaim(
        8, KEY, kind, guard, run, step, fingerprint, content, versionOf(version), "origin", NOW);
  }

  /** A step of the run that owns the row. */
  private static EffectClaim claimAs(Step step, String content) {
    return new EffectClaim(
        8,
        KEY,
        Kind.CREATE,
        "keyed",
        OWNER,
        step,
        Fingerprint.of(content),
        content,
        null,
        "origin",
        NOW);
  }
}
