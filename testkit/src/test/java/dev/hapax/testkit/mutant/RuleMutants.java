package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.mixed;
import static dev.hapax.testkit.mutant.EngineMutants.nodes;

import java.util.List;

/** Of the rules, which every store calls inside its transaction. */
final class RuleMutants {
  private RuleMutants() {}

  static List<Mutant> all() {
    return List.of(
        mixed(
            "a key whose effect is in doubt is free for the next run",
            "dev.hapax.run.ledger.ClaimRule",
            "case PENDING, DOUBT, REVIEW, UNDOING -> new ClaimRule(new ClaimAnswer.Held(row.number(), ownerRun, row.state()), null);",
            "case PENDING, DOUBT, REVIEW, UNDOING -> row.state() == EffectState.DOUBT ? nextRevision(row, claim) : new ClaimRule(new ClaimAnswer.Held(row.number(), ownerRun, row.state()), null);"),
        mixed(
            "a key whose effect is under way is free for the next run",
            "dev.hapax.run.ledger.ClaimRule",
            "case PENDING, DOUBT, REVIEW, UNDOING -> new ClaimRule(new ClaimAnswer.Held(row.number(), ownerRun, row.state()), null);",
            "case PENDING, DOUBT, REVIEW, UNDOING -> row.state() == EffectState.PENDING ? nextRevision(row, claim) : new ClaimRule(new ClaimAnswer.Held(row.number(), ownerRun, row.state()), null);"),
        mixed(
            "what was given up in doubt is sent anew",
            "dev.hapax.run.ledger.ClaimRule",
            "case ABANDONED -> givenUp(row, ownerRun, claim)",
            "case ABANDONED -> nextRevision(row, claim)"),
        mixed(
            "what is done is done again by the next run",
            "dev.hapax.run.ledger.ClaimRule",
            "case DONE -> alreadyDone(row, ownerRun, claim, own)",
            "case DONE -> nextRevision(row, claim)"),
        mixed(
            "the next revision has the wire key of the one before",
            "dev.hapax.run.ledger.ClaimRule",
            "int revision = row.revision() + 1;",
            "int revision = row.revision();"),
        mixed(
            "an effect is undone although another run has reused it",
            "dev.hapax.run.ledger.UndoRule",
            "String doubt = reusedBy == null ? wish.doubt() : \"run \" + reusedBy + \" has reused its result\";",
            "String doubt = wish.doubt();"),
        mixed(
            "an effect that is being undone is not locked",
            "dev.hapax.run.ledger.UndoRule",
            "EffectState.UNDOING,",
            "target.state(),"),
        mixed(
            "an answer after the expiry decides",
            "dev.hapax.run.wait.WaitRule",
            "if (!wait.isOpen() || wait.isExpiredAt(at)) { return expire(wait, op, at); }",
            "if (!wait.isOpen()) { return expire(wait, op, at); }"),
        mixed(
            "the second answer decides again",
            "dev.hapax.run.wait.WaitRule",
            "if (!wait.isOpen() || wait.isExpiredAt(at)) { return expire(wait, op, at); }",
            "if (wait.isExpiredAt(at)) { return expire(wait, op, at); }"),
        mixed(
            "a caller hears the end of a child that has not ended",
            "dev.hapax.run.start.CallRule",
            "if (!child.status().isEnd()) {",
            "if (child.status() == dev.hapax.flow.RunStatus.QUEUED) {"),
        mixed(
            "what was done is done again when only its tombstone is left",
            "dev.hapax.run.retention.TombstoneRule",
            "return isNewContent ? nextRevision(tombstone, claim) : expired(tombstone);",
            "return nextRevision(tombstone, claim);"),
        mixed(
            "an effect leaves no tombstone",
            "dev.hapax.run.retention.TombstoneRule",
            "return key.additiveRun() == null && !key.name().endsWith(Names.UNDO);",
            "return false;"),
        mixed(
            "an older version of an object starts a run",
            "dev.hapax.run.start.InboxRule",
            "return version.isOlderThan(newest) ? Order.OLDER : Order.NEWER;",
            "return Order.NEWER;"),
        mixed(
            "an equal version with other content is taken for a duplicate",
            "dev.hapax.store.ReceiveRule",
            "return first != null && spawning.isStartedWith(first, run.fingerprint())",
            "return first != null"),
        mixed(
            "the newest version of an object is not remembered",
            "dev.hapax.run.start.InboxRule",
            "(outcome == InboxOutcome.ACCEPTED || outcome == InboxOutcome.DUPLICATE)",
            "outcome == InboxOutcome.STALE"),
        mixed(
            "a slot is granted although the limit is reached",
            "dev.hapax.store.LineRule",
            "return front.holders() < line.limit() && !front.someWait();",
            "return front.holders() <= line.limit() && !front.someWait();"),
        mixed(
            "who leaves lets nobody in",
            "dev.hapax.store.LineRule",
            "if (own.isHeld()) { moveUp(own.line(), at); }",
            ""),
        mixed(
            "a run that ends keeps what it holds",
            "dev.hapax.store.LineRule",
            "public void leaveAll(long run, Instant at) throws E {",
            "public void leaveAll(long run, Instant at) throws E { if (at != null) { return; }"),
        mixed("who is let in is not woken", "dev.hapax.store.LineRule", "rows.letIn(next);", ""),
        mixed(
            "an item of a run is done because another one was",
            "dev.hapax.run.ledger.ClaimRule",
            "if (isSameWork(row, claim) || (sameContent && !isUntoldOfOwnRun(row, claim))) {",
            "if (isOwn(row, claim) || (sameContent && !isUntoldOfOwnRun(row, claim))) {"),
        nodes(
            "a run ends as succeeded although its cancel was accepted",
            "dev.hapax.run.CancelRule",
            "case SUCCEEDED, PARTIAL -> true;",
            "case SUCCEEDED, PARTIAL -> false;"));
  }
}
