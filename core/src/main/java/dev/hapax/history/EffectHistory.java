package dev.hapax.history;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the history lines about effects. */
final class EffectHistory {
  private final Run run;
  private final Map<Step, EffectKey> keys = new HashMap<>();
  private final Map<Step, String> guards = new HashMap<>();

  EffectHistory(Run run) {
    this.run = run;
  }

  HistoryLine read(EffectEntry entry, Iterator<Answer> answers, LinePlace place) {
    return switch (entry) {
      case EffectEntry.Claimed e -> readClaim(e, answers, place);
      case EffectEntry.Attempted e -> {
        boolean refused = answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused;
        yield effect(place, refused ? "refused" : "intent", e.step(), e.revision())
            .attempt(e.attempt())
            .state("pending");
      }
      case EffectEntry.SentAgain e ->
          effect(place, "intent", e.step(), e.revision())
              .attempt(e.attempt())
              .state("doubt")
              .decision("sent again to settle the doubt");
      case EffectEntry.NotApplied e ->
          effect(place, "not-applied", e.step(), e.revision())
              .attempt(e.attempt())
              .state("pending")
              .evidence(e.evidence())
              .until(e.retryAt());
      case EffectEntry.InDoubt e ->
          effect(place, "doubt", e.step(), e.revision())
              .attempt(e.attempt())
              .state("doubt")
              .evidence(e.evidence())
              .decision(e.decision())
              .until(e.retryAt());
      case EffectEntry.ProvenAbsent e ->
          effect(place, "absent", e.step(), e.revision())
              .attempt(e.attempt())
              .state("pending")
              .evidence(e.evidence())
              .decision("proved not to have happened");
      case EffectEntry.InReview e ->
          effect(place, "review", e.step(), e.revision())
              .attempt(e.attempt())
              .state("review")
              .evidence(e.evidence());
      case EffectEntry.Settled e ->
          effect(place, "settled", e.step(), e.revision())
              .decision(e.decision().word() + " by " + e.actor())
              .evidence(e.reason())
              .externalId(e.externalId())
              .output(e.output());
      case EffectEntry.SettledTooLate e ->
          effect(place, "settled", e.step(), e.revision())
              .decision(
                  "%s by %s, too late: the effect's own answer counts"
                      .formatted(e.decision().word(), e.actor()))
              .evidence(e.reason());
      case EffectEntry.AnsweredLate e ->
          effect(place, "answered-late", e.step(), e.revision())
              .decision("%s by %s remains".formatted(e.decision().word(), e.actor()))
              .externalId(e.externalId())
              .evidence(
                  e.contradicts()
                      ? "the destination has reported after the decision that it happened; check it"
                          + " there"
                      : "the destination has reported after the decision that it happened");
      case EffectEntry.EffectDone e ->
          effect(place, "done", e.step(), e.revision())
              .attempt(e.attempt())
              .state("done")
              .decision(e.decision())
              .externalId(e.externalId())
              .output(e.output());
      case EffectEntry.EffectFailed e ->
          effect(place, "failed", e.step(), e.revision())
              .attempt(e.attempt())
              .state(e.givenUp() == null ? "failed" : "abandoned")
              .decision(
                  e.givenUp() == null
                      ? null
                      : "a programming error; its calls before that may have happened")
              .error(e.error());
      case EffectEntry.Skipped e ->
          effect(place, "skipped", e.step(), e.revision())
              .attempt(e.attempt())
              .state("abandoned")
              .evidence(e.evidence())
              .decision("abandoned: the flow says skip");
      case EffectEntry.LeftBehind e ->
          effect(place, "left-behind", e.step(), null)
              .effect(e.effect())
              .state("done")
              .decision(
                  "it was done before the retry, and the body no longer reaches it; it remains"
                      + " done. If the run is compensated, check it: you may have to undo it by"
                      + " hand");
    };
  }

  private HistoryLine readClaim(
      EffectEntry.Claimed claim, Iterator<Answer> answers, LinePlace place) {
    Step step = claim.step();
    keys.put(
        step,
        new EffectKey(
            run.tenant(),
            claim.name(),
            claim.key(),
            claim.kind() == Kind.ADDITIVE ? run.id() : null));
    guards.put(step, claim.guard());
    ClaimAnswer answer =
        answers.hasNext()
            ? (ClaimAnswer) answers.next()
            : new ClaimAnswer.Granted(claim.effect(), 1);
    return switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) ->
          effect(place, "intent", step, revision).effect(effect).attempt(1).state("pending");
      case ClaimAnswer.Reused reused ->
          effect(place, "reused", step, reused.revision())
              .effect(reused.effect())
              .state("done")
              .reusedFrom(reused.isImported() ? null : reused.fromRun())
              .decision(reuse(reused))
              .externalId(reused.externalId())
              .output(reused.output());
      case ClaimAnswer.Held held ->
          effect(place, "held", step, null)
              .effect(held.effect())
              .state(held.state().word())
              .decision("waits for run " + held.byRun() + ", which has claimed the same effect");
      case ClaimAnswer.Conflict conflict ->
          effect(place, "conflict", step, null)
              .effect(conflict.effect())
              .decision("effect-key-reused")
              .evidence(conflict.what() + " (run " + conflict.byRun() + ")");
      case ClaimAnswer.Expired expired ->
          effect(place, "effect-expired", step, expired.revision())
              .effect(expired.effect())
              .state(expired.state().word())
              .decision("it was done before and its record has expired; nothing is sent")
              .externalId(expired.externalId());
      case ClaimAnswer.ResultErased erased ->
          effect(place, "effect-erased", step, erased.revision())
              .effect(erased.effect())
              .state("done")
              .reusedFrom(erased.fromRun())
              .decision("it was done before and its result was erased; nothing is sent")
              .externalId(erased.externalId());
      case ClaimAnswer.Abandoned(long effect, int revision, int attempts) ->
          effect(place, "abandoned-before", step, revision)
              .effect(effect)
              .attempt(attempts)
              .state("review")
              .decision("an earlier run abandoned it in doubt; a person decides");
      case ClaimAnswer.ReviewFirst(long effect, int revision, var evidence) ->
          effect(place, "review-first", step, revision)
              .effect(effect)
              .state("review")
              .decision("nothing is sent until a person has decided")
              .evidence(evidence);
      case ClaimAnswer.Overtaken(long effect, var what) ->
          effect(place, "overtaken", step, null)
              .effect(effect)
              .decision("it is not undone")
              .evidence(what);
      case ClaimAnswer.ReviewRework review ->
          effect(place, "review-first", step, review.revision())
              .effect(review.effect())
              .attempt(review.attempts())
              .state("review")
              .decision(
                  "the content differs; a person decides whether to keep what was sent (happened)"
                      + " or to send the new content as the next revision (not-happened)")
              .externalId(review.externalId())
              .evidence(review.evidence());
      case ClaimAnswer.UndoFirst undo ->
          effect(place, "undo-first", step, undo.revision())
              .effect(undo.effect())
              .state("done")
              .decision(
                  "the content differs: what was sent is undone, then the new content is sent as"
                      + " the next revision");
      case ClaimAnswer.NotPlanned stale ->
          effect(place, "not-planned", step, stale.revision())
              .decision("plan-stale")
              .evidence(whatDiffers(stale));
      case ClaimAnswer.Refused _ ->
          effect(place, "refused", step, null).decision("the run is being canceled");
    };
  }

  private static String whatDiffers(ClaimAnswer.NotPlanned stale) {
    return stale.planned() == null
        ? "the plan of the replay does not send it; nothing is sent"
        : "the plan of the replay shows another request (its fingerprint is %s, and now it would be %s); nothing is sent"
            .formatted(stale.planned(), stale.wanted());
  }

  private static String reuse(ClaimAnswer.Reused reused) {
    var decision =
        new StringBuilder(reused.isImported() ? "reused from " : "reused from run ")
            .append(reused.fromRun());
    if (reused.contentDiffers()) {
      decision.append("; the content differs and was not sent");
    }
    if (reused.superseded()) {
      decision.append("; superseded by a newer revision");
    }
    if (reused.stale()) {
      decision.append("; its version is older than the ledger's and was skipped as stale");
    }
    return decision.toString();
  }

  private HistoryLine effect(LinePlace place, String type, Step step, @Nullable Integer revision) {
    HistoryLine line = place.line(type).step(step).of(keys.get(step), guards.get(step), revision);
    return run.isErased() ? line.withoutWireKey() : line;
  }
}
