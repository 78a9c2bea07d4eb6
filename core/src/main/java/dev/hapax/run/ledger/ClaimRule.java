package dev.hapax.run.ledger;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.run.journal.ClaimAnswer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the ledger answers a claim of a key that it already holds. Pure, and called by every
 * store inside its transaction, so that all stores answer alike.
 *
 * @param answer the answer to the claimant
 * @param change the ledger row after the claim, or null if it stays as it is
 */
public record ClaimRule(ClaimAnswer answer, @Nullable EffectRecord change) {

  /**
   * Whether to remember the claimant's work with the row's revision, as if it had made it. A later
   * rerun then finds this revision, and never writes it over newer data.
   */
  public boolean adopts(EffectRecord row) {
    return row.state() == EffectState.DONE
        && answer instanceof ClaimAnswer.Reused reused
        && !reused.superseded()
        && !reused.stale();
  }

  /**
   * Decides about a claim of a key that has a row.
   *
   * @param ownerRun the id of the run that owns the row, for the answer
   * @param own the revision that the same work (flow, run key, input, step, item) made before, for
   *     updates
   */
  public static ClaimRule decide(
      EffectRecord row, String ownerRun, EffectClaim claim, @Nullable Revision own) {
    ReplayClaim replay = claim.replay();
    Revision had = replay == null || claim.kind() != Kind.UPDATE ? null : replay.had();
    return withoutErased(
        asPlanned(ruled(row, ownerRun, claim, had == null ? own : had), row.revision(), claim));
  }

  /** A result that was erased cannot be reused, and nothing is sent in its place. */
  private static ClaimRule withoutErased(ClaimRule ruled) {
    return ruled.answer() instanceof ClaimAnswer.Reused reused && Erased.is(reused.output())
        ? new ClaimRule(
            new ClaimAnswer.ResultErased(
                reused.effect(), reused.revision(), reused.fromRun(), reused.externalId()),
            ruled.change())
        : ruled;
  }

  /** A replay that would send something else than its plan sends nothing, and changes nothing. */
  public static ClaimRule asPlanned(ClaimRule ruled, int revision, EffectClaim claim) {
    boolean sends =
        ruled.answer() instanceof ClaimAnswer.Granted
            || ruled.answer() instanceof ClaimAnswer.UndoFirst;
    return sends && !claim.maySend(revision + 1)
        ? new ClaimRule(claim.notPlanned(revision + 1), null)
        : ruled;
  }

  private static ClaimRule ruled(
      EffectRecord row, String ownerRun, EffectClaim claim, @Nullable Revision own) {
    if (hasOtherType(row, claim)) {
      return conflict(row, ownerRun, differentTypes(row.version(), claim.version()));
    }
    return switch (row.state()) {
      case PENDING, DOUBT, REVIEW, UNDOING ->
          new ClaimRule(new ClaimAnswer.Held(row.number(), ownerRun, row.state()), null);
      case FAILED -> failedBefore(row, ownerRun, claim, own);
      case UNDONE -> nextRevision(row, claim);
      case ABANDONED -> givenUp(row, ownerRun, claim);
      case DONE -> alreadyDone(row, ownerRun, claim, own);
    };
  }

  /**
   * The newest intent wins, also if it failed: an older version that arrives late would revert the
   * data before it.
   */
  private static ClaimRule failedBefore(
      EffectRecord row, String ownerRun, EffectClaim claim, @Nullable Revision own) {
    if (own != null && !isReplayOfOwn(row, claim)) {
      return reuseOwn(row, own, claim);
    }
    return isOlder(claim, row) ? reuse(row, ownerRun, claim, true, true) : nextRevision(row, claim);
  }

  /**
   * A person must say whether it happened. Another step of the run that wants to create something
   * else would then count as done, though nothing of it was sent.
   */
  private static ClaimRule givenUp(EffectRecord row, String ownerRun, EffectClaim claim) {
    boolean sameContent = Objects.equals(row.fingerprint(), claim.fingerprint());
    boolean isSecondClaimant =
        row.kind() != Kind.UPDATE && isOwn(row, claim) && !isSameWork(row, claim);
    return isSecondClaimant && !(sameContent && claim.fingerprint() != null)
        ? conflict(row, ownerRun, whatDiffers(row, claim, sameContent))
        : reviewAgain(row, claim);
  }

  private static ClaimRule alreadyDone(
      EffectRecord row, String ownerRun, EffectClaim claim, @Nullable Revision own) {
    if (row.isImported()) {
      return doneElsewhere(row, claim);
    }
    if (row.kind() != claim.kind()) {
      return conflict(row, ownerRun, "kind was " + row.kind() + ", now " + claim.kind());
    }
    if (!row.guard().equals(claim.guard())) {
      return conflict(
          row, ownerRun, "guard was '" + row.guard() + "', now '" + claim.guard() + "'");
    }
    if (isForced(row, claim, own)) {
      return nextRevision(row, claim);
    }
    boolean sameContent = Objects.equals(row.fingerprint(), claim.fingerprint());
    if (row.kind() == Kind.UPDATE) {
      return updateAgain(row, ownerRun, claim, own, sameContent);
    }
    if (isSameWork(row, claim) && !sameContent) {
      return rework(row, ownerRun, claim);
    }
    if (isSameWork(row, claim) || (sameContent && !isUntoldOfOwnRun(row, claim))) {
      return reuse(row, ownerRun, claim, false, false);
    }
    return conflict(row, ownerRun, whatDiffers(row, claim, sameContent));
  }

  /**
   * Whether a person wants this very revision sent again. Work that made an older revision of an
   * update is not meant: its content would be written over the one that the person named.
   */
  private static boolean isForced(EffectRecord row, EffectClaim claim, @Nullable Revision own) {
    return claim.replay() != null
        && claim.replay().isForced(row.revision())
        && (own == null || own.revision() >= row.revision());
  }

  /**
   * Another system did it, and its request and guard are unknown: they match every claim. Only the
   * content of an update counts, so an update is sent, unless a newer version is there already.
   */
  private static ClaimRule doneElsewhere(EffectRecord row, EffectClaim claim) {
    String source = Objects.requireNonNullElse(row.evidence(), EffectImport.SOURCE + "?");
    if (claim.kind() == Kind.UPDATE && !isOlder(claim, row)) {
      return nextRevision(row, claim);
    }
    return reuse(row, source, claim, false, claim.kind() == Kind.UPDATE);
  }

  /** The run meets its own effect, and wants to send something else. */
  private static ClaimRule rework(EffectRecord row, String ownerRun, EffectClaim claim) {
    return switch (claim.onRework()) {
      case REUSE -> reuse(row, ownerRun, claim, true, false);
      case REVIEW -> reviewRework(row, claim);
      case REVISE ->
          new ClaimRule(
              new ClaimAnswer.UndoFirst(row.number(), row.revision(), row.externalId()), null);
    };
  }

  private static String whatDiffers(EffectRecord row, EffectClaim claim, boolean sameContent) {
    if (!isOwn(row, claim)) {
      return "the request differs";
    }
    return sameContent
        ? "step %s of the same run claimed it, and no request is given to compare"
            .formatted(row.step())
        : "step %s of the same run claimed it with another request".formatted(row.step());
  }

  private static boolean isOwn(EffectRecord row, EffectClaim claim) {
    return row.run() == claim.run();
  }

  /**
   * Whether a run finds an effect of its own step, for the same item: by rework, a corrected input
   * or a replay. Rounds are ignored, because a later round does the same work again. Another step
   * or item of the run is a second claimant: it would otherwise count as done although nothing of
   * it was sent.
   */
  private static boolean isSameWork(EffectRecord row, EffectClaim claim) {
    return isOwn(row, claim) && row.step().inRound(1).equals(claim.step().inRound(1));
  }

  /** Two runs that give no request are trusted to mean the same; two steps of one run are not. */
  private static boolean isUntoldOfOwnRun(EffectRecord row, EffectClaim claim) {
    return isOwn(row, claim) && claim.fingerprint() == null;
  }

  private static ClaimRule updateAgain(
      EffectRecord row,
      String ownerRun,
      EffectClaim claim,
      @Nullable Revision own,
      boolean sameContent) {
    if (own != null && own.revision() < row.revision() && !isReplayOfOwn(row, claim)) {
      return reuseOwn(row, own, claim);
    }
    if (sameContent || (own != null && !isCorrected(claim))) {
      return reuse(row, ownerRun, claim, !sameContent, false);
    }
    if (isOlder(claim, row)) {
      return reuse(row, ownerRun, claim, true, true);
    }
    ObjectVersion version = claim.version();
    if (version != null && version.equals(row.version()) && !claim.appliesTies()) {
      return conflict(row, ownerRun, "version " + version + " has another content");
    }
    return nextRevision(row, claim);
  }

  /**
   * Whether a replay with corrections meets the update that the run's own step made last. Other
   * content is then sent. If other work has made a newer revision, that one stays.
   */
  private static boolean isReplayOfOwn(EffectRecord row, EffectClaim claim) {
    return isCorrected(claim) && isSameWork(row, claim);
  }

  private static boolean isCorrected(EffectClaim claim) {
    return claim.replay() != null && claim.replay().corrects();
  }

  private static boolean isOlder(EffectClaim claim, EffectRecord row) {
    ObjectVersion version = claim.version();
    ObjectVersion newest = row.version();
    return version != null && newest != null && version.isOlderThan(newest);
  }

  /** The first version fixes the type: versions of different types have no order. */
  private static boolean hasOtherType(EffectRecord row, EffectClaim claim) {
    return switch (row.state()) {
      case PENDING, DOUBT, REVIEW, UNDOING, ABANDONED -> false; // decided first
      case FAILED, UNDONE, DONE -> areOfDifferentTypes(row.version(), claim.version());
    };
  }

  public static boolean areOfDifferentTypes(
      @Nullable ObjectVersion before, @Nullable ObjectVersion now) {
    return before != null && now != null && !now.isComparableTo(before);
  }

  public static String differentTypes(@Nullable ObjectVersion before, @Nullable ObjectVersion now) {
    return "version '%s' cannot be compared with version '%s', which has another type"
        .formatted(now, before);
  }

  /** The newest version that was ever claimed; it never goes back. */
  private static @Nullable ObjectVersion newestVersion(EffectRecord row, EffectClaim claim) {
    ObjectVersion version = claim.version();
    return version == null || isOlder(claim, row) ? row.version() : version;
  }

  /**
   * Answers a rerun of old work. Its write may have been overtaken, and must not be repeated over
   * the newer data.
   */
  private static ClaimRule reuseOwn(EffectRecord row, Revision own, EffectClaim claim) {
    boolean differs = !Objects.equals(own.fingerprint(), claim.fingerprint());
    boolean superseded = row.state() == EffectState.DONE;
    var answer =
        new ClaimAnswer.Reused(
            row.number(),
            own.revision(),
            own.run(),
            own.result(),
            null,
            differs,
            superseded,
            false);
    return new ClaimRule(answer, null);
  }

  private static ClaimRule reuse(
      EffectRecord row, String ownerRun, EffectClaim claim, boolean contentDiffers, boolean stale) {
    var answer =
        new ClaimAnswer.Reused(
            row.number(),
            row.revision(),
            ownerRun,
            row.result(),
            row.externalId(),
            contentDiffers,
            false,
            stale);
    ObjectVersion version = newestVersion(row, claim);
    boolean byAnother = !isOwn(row, claim);
    boolean changes = byAnother || !Objects.equals(version, row.version());
    Long reusedBy = byAnother ? Long.valueOf(claim.run()) : row.reusedBy();
    return new ClaimRule(answer, changes ? withReuse(row, version, reusedBy) : null);
  }

  private static ClaimRule conflict(EffectRecord row, String ownerRun, String what) {
    return new ClaimRule(new ClaimAnswer.Conflict(row.number(), ownerRun, what), null);
  }

  private static ClaimRule nextRevision(EffectRecord row, EffectClaim claim) {
    int revision = row.revision() + 1;
    var change =
        new EffectRecord(
            row.number(),
            claim.key(),
            claim.kind(),
            claim.guard(),
            EffectState.PENDING,
            revision,
            claim.run(),
            claim.step(),
            1,
            claim.fingerprint(),
            claim.request(),
            newestVersion(row, claim),
            null,
            null,
            claim.at(),
            null,
            null);
    return new ClaimRule(new ClaimAnswer.Granted(row.number(), revision), change);
  }

  /**
   * Uses the same revision and so the same wire key, because the undecided attempts used it too.
   */
  private static ClaimRule reviewAgain(EffectRecord row, EffectClaim claim) {
    var change =
        new EffectRecord(
            row.number(),
            claim.key(),
            row.kind(),
            row.guard(),
            EffectState.REVIEW,
            row.revision(),
            claim.run(),
            claim.step(),
            row.attempts(),
            row.fingerprint(),
            row.request(),
            row.version(),
            null,
            null,
            row.firstSentAt(),
            null,
            row.evidence());
    return new ClaimRule(
        new ClaimAnswer.Abandoned(row.number(), row.revision(), row.attempts()), change);
  }

  /**
   * Asks a person about the revision that was done. The row keeps its content and result, because
   * these are what the destination has; only the step changes, to the one that waits for the
   * person.
   */
  private static ClaimRule reviewRework(EffectRecord row, EffectClaim claim) {
    var answer =
        new ClaimAnswer.ReviewRework(
            row.number(),
            row.revision(),
            row.attempts(),
            row.result(),
            row.externalId(),
            row.reusedBy() != null);
    var change =
        new EffectRecord(
            row.number(),
            row.key(),
            row.kind(),
            row.guard(),
            EffectState.REVIEW,
            row.revision(),
            row.run(),
            claim.step(),
            row.attempts(),
            row.fingerprint(),
            row.request(),
            row.version(),
            row.result(),
            row.externalId(),
            row.firstSentAt(),
            row.reusedBy(),
            answer.evidence());
    return new ClaimRule(answer, change);
  }

  private static EffectRecord withReuse(
      EffectRecord row, @Nullable ObjectVersion version, @Nullable Long by) {
    return new EffectRecord(
        row.number(),
        row.key(),
        row.kind(),
        row.guard(),
        row.state(),
        row.revision(),
        row.run(),
        row.step(),
        row.attempts(),
        row.fingerprint(),
        row.request(),
        version,
        row.result(),
        row.externalId(),
        row.firstSentAt(),
        by,
        row.evidence());
  }

  /**
   * A revision of an update that was done.
   *
   * @param run the id of the run that sent it
   */
  public record Revision(
      int revision, @Nullable Fingerprint fingerprint, @Nullable String result, String run) {}
}
