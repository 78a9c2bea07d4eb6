package dev.hapax.engine.replay;

import dev.hapax.flow.EffectOutcome;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How the effects of a run were done, and the destinations' ids for them, from any source: the
 * answer, a lookup, the run that had done it before, or a person. Safe for many threads.
 */
public final class EffectOutcomes {
  private final Map<Step, EffectOutcome> outcomes = new ConcurrentHashMap<>();

  /** The steps whose outcome is that of a revision that is undone before they send. */
  private final Set<Step> revising = ConcurrentHashMap.newKeySet();

  public EffectOutcome of(Step step) {
    return outcomes.getOrDefault(step, EffectOutcome.NONE);
  }

  EffectOutcomes copy() {
    var copy = new EffectOutcomes();
    copy.outcomes.putAll(outcomes);
    copy.revising.addAll(revising);
    return copy;
  }

  void note(EffectEntry entry) {
    switch (entry) {
      case EffectEntry.EffectDone done ->
          put(done.step(), known -> done(known, done.externalId(), isFound(done)));
      case EffectEntry.Settled settled ->
          put(settled.step(), known -> done(known, settled.externalId(), known.found()));
      case EffectEntry.Claimed _,
          EffectEntry.Attempted _,
          EffectEntry.SentAgain _,
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.InReview _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ -> {}
    }
  }

  /** A claim that a retry makes again has the newer answer. */
  void note(Step step, Answer answer) {
    if (answer instanceof ClaimAnswer.Reused reused) {
      put(
          step,
          known ->
              new EffectOutcome(true, reused.stale(), false, newer(known, reused.externalId())));
    } else if (answer instanceof ClaimAnswer.UndoFirst undo) {
      revising.add(step);
      put(step, _ -> new EffectOutcome(false, false, false, undo.externalId()));
    } else if (answer instanceof ClaimAnswer.Granted && revising.remove(step)) {
      outcomes.remove(step); // what was undone says nothing about what is sent now
    } else if (answer instanceof ClaimAnswer.Granted) {
      outcomes.computeIfPresent(
          step, (_, known) -> new EffectOutcome(false, false, false, known.externalId()));
    }
  }

  /** Only before its first attempt: later, what the lookup finds may be the run's own. */
  static boolean isFound(EffectEntry.EffectDone done) {
    return done.attempt() == 1
        && done.decision().equals(EffectEntry.EffectDone.FOUND_BEFORE_SENDING);
  }

  private static EffectOutcome done(EffectOutcome known, @Nullable String id, boolean isFound) {
    return new EffectOutcome(known.reused(), known.stale(), isFound, newer(known, id));
  }

  private static @Nullable String newer(EffectOutcome known, @Nullable String id) {
    return id == null ? known.externalId() : id;
  }

  private void put(Step step, UnaryOperator<EffectOutcome> change) {
    outcomes.compute(
        step,
        (_, known) -> {
          EffectOutcome changed = change.apply(known == null ? EffectOutcome.NONE : known);
          return changed.equals(EffectOutcome.NONE) ? null : changed; // most have nothing to say
        });
  }
}
