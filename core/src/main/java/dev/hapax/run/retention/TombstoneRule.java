package dev.hapax.run.retention;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Names;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.EffectClaim;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the ledger answers a claim of a key that has only a tombstone. Pure, and called by
 * every store inside its transaction. Finished work is not done again, except in a run that its
 * flow wants to be new.
 */
public final class TombstoneRule {
  private static final String EVIDENCE =
      "an earlier run abandoned it in doubt, and its record has expired; it may have happened";

  private TombstoneRule() {}

  /**
   * Whether a row leaves a tombstone. Keys that no other run can claim do not: the key of an
   * additive effect contains its run, and an undo belongs to a revision that is gone with it.
   */
  public static boolean leavesOne(EffectKey key) {
    return key.additiveRun() == null && !key.name().endsWith(Names.UNDO);
  }

  /**
   * Decides about a claim; the changed row replaces the tombstone.
   *
   * @param renews whether the claiming run, or one that called it, was admitted by {@code
   *     afterRetention: new}
   * @param isRerun whether the same work made a revision of it before, for updates
   */
  public static ClaimRule decide(
      EffectTombstone tombstone, EffectClaim claim, boolean renews, boolean isRerun) {
    ObjectVersion newest = tombstone.version();
    if (tombstone.state() != EffectState.ABANDONED
        && ClaimRule.areOfDifferentTypes(newest, claim.version())) {
      return conflict(tombstone, ClaimRule.differentTypes(newest, claim.version()));
    }
    return ClaimRule.asPlanned(
        ruled(tombstone, claim, renews, isRerun), tombstone.revision(), claim);
  }

  private static ClaimRule ruled(
      EffectTombstone tombstone, EffectClaim claim, boolean renews, boolean isRerun) {
    return switch (tombstone.state()) {
      case DONE -> wasDone(tombstone, claim, renews, isRerun);
      case FAILED -> isOlder(tombstone, claim) ? stale(tombstone) : nextRevision(tombstone, claim);
      case UNDONE -> nextRevision(tombstone, claim);
      case ABANDONED -> reviewAgain(tombstone, claim);
      case PENDING, DOUBT, REVIEW, UNDOING ->
          throw new IllegalStateException("an effect that is open has no tombstone: " + tombstone);
    };
  }

  private static ClaimRule wasDone(
      EffectTombstone tombstone, EffectClaim claim, boolean renews, boolean isRerun) {
    if (renews) {
      // Also a new run must not write an older version over a newer one.
      return isOlder(tombstone, claim) ? stale(tombstone) : nextRevision(tombstone, claim);
    }
    boolean isNewContent =
        claim.kind() == Kind.UPDATE
            && tombstone.kind() == Kind.UPDATE
            && !isRerun
            && !isNoNewer(tombstone, claim);
    return isNewContent ? nextRevision(tombstone, claim) : expired(tombstone);
  }

  private static boolean isOlder(EffectTombstone tombstone, EffectClaim claim) {
    ObjectVersion version = claim.version();
    ObjectVersion newest = tombstone.version();
    return version != null && newest != null && version.isOlderThan(newest);
  }

  private static boolean isNoNewer(EffectTombstone tombstone, EffectClaim claim) {
    ObjectVersion version = claim.version();
    ObjectVersion newest = tombstone.version();
    return version != null && newest != null && !newest.isOlderThan(version);
  }

  private static ClaimRule conflict(EffectTombstone tombstone, String what) {
    return new ClaimRule(
        new ClaimAnswer.Conflict(tombstone.number(), RetentionRule.NOBODY, what), null);
  }

  private static ClaimRule expired(EffectTombstone tombstone) {
    return new ClaimRule(
        new ClaimAnswer.Expired(
            tombstone.number(), tombstone.revision(), tombstone.state(), tombstone.externalId()),
        null);
  }

  private static ClaimRule stale(EffectTombstone tombstone) {
    return new ClaimRule(
        new ClaimAnswer.Reused(
            tombstone.number(),
            tombstone.revision(),
            RetentionRule.NOBODY,
            null,
            tombstone.externalId(),
            true,
            false,
            true),
        null);
  }

  private static ClaimRule nextRevision(EffectTombstone tombstone, EffectClaim claim) {
    int revision = tombstone.revision() + 1;
    return new ClaimRule(
        new ClaimAnswer.Granted(tombstone.number(), revision),
        row(tombstone, claim, EffectState.PENDING, revision, null));
  }

  /** As for an existing row: the same revision, so the same wire key, and nothing is sent. */
  private static ClaimRule reviewAgain(EffectTombstone tombstone, EffectClaim claim) {
    return new ClaimRule(
        new ClaimAnswer.Abandoned(tombstone.number(), tombstone.revision(), 1),
        row(tombstone, claim, EffectState.REVIEW, tombstone.revision(), EVIDENCE));
  }

  private static EffectRecord row(
      EffectTombstone tombstone,
      EffectClaim claim,
      EffectState state,
      int revision,
      @Nullable String evidence) {
    return new EffectRecord(
        tombstone.number(),
        claim.key(),
        claim.kind(),
        claim.guard(),
        state,
        revision,
        claim.run(),
        claim.step(),
        1,
        claim.fingerprint(),
        claim.request(),
        claim.version() == null || isOlder(tombstone, claim)
            ? tombstone.version()
            : claim.version(),
        null,
        null,
        claim.at(),
        null,
        evidence);
  }
}
