package dev.hapax.testkit.mutant;

import static dev.hapax.testkit.mutant.EngineMutants.core;
import static dev.hapax.testkit.mutant.EngineMutants.mixed;

import java.util.List;

/** Of the effect ledger: attempts, doubts, retries, and the limits before destinations. */
final class EffectMutants {
  private EffectMutants() {}

  static List<Mutant> all() {
    return List.of(
        core(
            "a keyed effect is sent again although its window has passed",
            "dev.hapax.flow.Guard",
            "windowCovers(doubt.firstSentAt(), doubt.now(), doubt.timeout())",
            "windowCovers(doubt.now(), doubt.now(), doubt.timeout())"),
        core(
            "a lookup is believed before the attempt has settled",
            "dev.hapax.flow.Guard",
            "new DoubtRule.LookUpAfter(this, doubt.timeout().plus(settle))",
            "new DoubtRule.LookUpAfter(this, Duration.ZERO)"),
        core(
            "an unguarded doubt is repeated",
            "dev.hapax.flow.Guard",
            "case REVIEW -> new DoubtRule.Review(\"guard 'none' cannot tell whether it happened\");",
            "case REVIEW -> new DoubtRule.SendAgain(\"why not\", false);"),
        core(
            "an exception is taken for a proof that nothing happened",
            "dev.hapax.effect.AnswerMeaning",
            "? new Ambiguous(thrown.getClass().getName() + \": \" + said(thrown))",
            "? new Nothing(said(thrown), null)"),
        core(
            "a refusal is tried again",
            "dev.hapax.effect.AnswerMeaning",
            "case Rejected refusal -> new Refusal(refusal.code(), said(refusal), refusal.isStored());",
            "case Rejected refusal -> new Nothing(said(refusal), null);"),
        core(
            "one attempt too many",
            "dev.hapax.effect.RetrySchedule",
            "return progress.attemptsInBudget() >= policy.attempts() || isOver(progress, now);",
            "return progress.attemptsInBudget() > policy.attempts() || isOver(progress, now);"),
        core(
            "a refusal after an ambiguous attempt settles both",
            "dev.hapax.effect.EffectExecution",
            "return refusal.isStored() && step.guard()",
            "return step.guard()"),
        core(
            "not applied after an ambiguous attempt settles both",
            "dev.hapax.effect.EffectExecution",
            "case AnswerMeaning.Nothing nothing when progress.ambiguous() ->",
            "case AnswerMeaning.Nothing nothing when progress.ambiguous() && false ->"),
        core(
            "an attempt in flight is sent again after a crash",
            "dev.hapax.effect.EffectExecution",
            "return lost == null || progress.attempt() > 1 ? doubt.begin(progress, evidence, null) : doubt.beginLost(progress, evidence, lost);",
            "return send(progress);"),
        core(
            "a retry does not wait for its time",
            "dev.hapax.effect.EffectExecution",
            "waitUntil(progress.retryAt()); if (!access",
            "if (!access"),
        core(
            "a new attempt has the number of the last one",
            "dev.hapax.effect.EffectExecution",
            "int next = progress.attempt() + 1; var entry",
            "int next = progress.attempt(); var entry"),
        core(
            "not found is believed at once",
            "dev.hapax.effect.DoubtResolution",
            "if (!rest.isZero()) {",
            "if (false) {"),
        core(
            "what a lookup has found is sent again",
            "dev.hapax.effect.DoubtResolution",
            "return notes.done(progress, found.output(), \"found by lookup\");",
            "break;"),
        core(
            "a doubt is resent without an intent",
            "dev.hapax.effect.DoubtResolution",
            "notes.sentAgain(progress, next); run.commit();",
            ""),
        core(
            "an ambiguous attempt is forgotten by the next one",
            "dev.hapax.effect.EffectProgress",
            "next.attempt = number;",
            "next.attempt = number; next.ambiguous = false;"),
        core(
            "what is done stays pending in the ledger",
            "dev.hapax.effect.EffectNotes",
            "effect(progress, EffectState.DONE).result(kept).externalId(externalId)",
            "effect(progress, EffectState.PENDING).result(kept).externalId(externalId)"),
        mixed(
            "the end of an undo leaves its effect locked",
            "dev.hapax.effect.EffectNotes",
            "run.add(entry, end.change(), undoing.after(end.state()));",
            "run.add(entry, end.change());"),
        core(
            "a timeout is taken for a proof that nothing happened",
            "dev.hapax.effect.OutsideCalls",
            "if (isDecided.compareAndSet(false, true)) { return",
            "if (true) { return"),
        core(
            "the time to settle counts from before the attempt was over",
            "dev.hapax.effect.OpenAttempts",
            "return rest.isNegative() ? Duration.ZERO : rest;",
            "return Duration.ZERO;"),
        mixed(
            "one call more than a destination allows",
            "dev.hapax.limit.DestinationLimiter",
            "return most != null && underWay >= most;",
            "return most != null && underWay > most;"),
        mixed(
            "a call that is over keeps its place",
            "dev.hapax.limit.DestinationLimiter",
            "isOver = true; underWay--;",
            "isOver = true;"));
  }
}
