package dev.hapax.engine.writing;

import dev.hapax.effect.EffectProgress;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.store.Change;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects that a run owns and has not settled. A run does not end while it has one. Safe for
 * the threads of its fibers.
 */
public final class OpenEffects {
  private final Map<Step, Effect> effects = new LinkedHashMap<>();
  // In review, and decided in this pass: by a person, or by a late answer.
  private final Set<Step> decided = new HashSet<>();
  // Their claims are under way: the ledger may show them as in review before the run knows it.
  private final Set<Step> claiming = new HashSet<>();

  private record Effect(long number, int revision, int attempt, boolean inReview) {
    /** Whether it was not sent again after the person looked at it. */
    boolean isSeenBy(Change... settling) {
      return Arrays.stream(settling)
          .noneMatch(
              change ->
                  change instanceof Change.Effect row
                      && row.effect() == number
                      && (row.revision() != revision || row.attempt() != attempt));
    }

    Effect toReview() {
      return new Effect(number, revision, attempt, true);
    }
  }

  public OpenEffects(Replay replay) {
    learn(replay);
  }

  /** Adds the effects that an earlier pass has left open. */
  public final synchronized void learn(Replay replay) {
    replay
        .steps()
        .forEach(
            (step, state) -> {
              if (state instanceof StepState.Open(EffectProgress progress)) {
                effects.put(
                    step,
                    new Effect(
                        progress.effect(),
                        progress.revision(),
                        progress.attempt(),
                        progress.inReview()));
              }
            });
  }

  /** Notes what the run writes. */
  public synchronized void note(JournalEntry entry, Change... changes) {
    Step step = entry.step();
    if (entry instanceof EffectEntry.Claimed claim) {
      claiming.add(claim.step());
    }
    for (Change change : changes) {
      if (change instanceof Change.Effect row && step != null) {
        if (row.state().isOpen()) {
          effects.put(
              step,
              new Effect(
                  row.effect(), row.revision(), row.attempt(), row.state() == EffectState.REVIEW));
        } else {
          effects.remove(step);
        }
      }
    }
  }

  /** Notes the ledger's answer to a claim. */
  public synchronized void note(EffectEntry.Claimed claim, Answer answer) {
    Step step = claim.step();
    claiming.remove(step);
    switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) ->
          effects.put(step, new Effect(effect, revision, 1, false));
      case ClaimAnswer.Abandoned(long effect, int revision, int attempts) ->
          // not before the run itself has written that it is in review
          effects.put(step, new Effect(effect, revision, attempts, false));
      case ClaimAnswer.ReviewFirst(long effect, int revision, _) ->
          effects.put(step, new Effect(effect, revision, 0, true));
      case ClaimAnswer.ReviewRework review ->
          effects.put(
              step, new Effect(review.effect(), review.revision(), review.attempts(), true));
      default -> {}
    }
  }

  public synchronized boolean isEmpty() {
    return effects.isEmpty();
  }

  /** Whether a person must settle one of them; one may have been settled while others went on. */
  public synchronized boolean isAnyInReview() {
    return effects.values().stream().anyMatch(Effect::inReview);
  }

  /** The effects in review, as a text that distinguishes two reviews. */
  public synchronized String reviewed() {
    return effects.values().stream()
        .filter(Effect::inReview)
        .max(Comparator.comparingLong(Effect::number))
        .map(
            effect ->
                EffectRecord.id(effect.number()) + "." + effect.revision() + "." + effect.attempt())
        .orElse("");
  }

  /** The step of the newest effect in review; null if there is none. */
  public synchronized @Nullable String stepInReview() {
    return effects.entrySet().stream()
        .filter(entry -> entry.getValue().inReview())
        .max(Comparator.comparingLong(entry -> entry.getValue().number()))
        .map(entry -> entry.getKey().name())
        .orElse(null);
  }

  /**
   * True once for an effect in review, also for one that this pass has not reached.
   *
   * @param settling the changes of a person's decision, based on the review that the person saw
   */
  public synchronized boolean mayBeSettled(Step step, Change... settling) {
    Effect effect = effects.get(step);
    boolean isInReview = effect == null || (effect.inReview() && effect.isSeenBy(settling));
    return isInReview && !claiming.contains(step) && decided.add(step);
  }

  /** True once for an effect in review that its own late answer settles, unless a person has. */
  public synchronized boolean isSettledByAnswer(Step step) {
    return decided.add(step);
  }

  public synchronized Step first() {
    return effects.keySet().iterator().next();
  }

  /** Puts all of them into review. */
  public synchronized void review(String why, FiberWriter writer) {
    effects.replaceAll((_, effect) -> effect.toReview());
    effects.forEach(
        (step, effect) ->
            writer.add(
                new EffectEntry.InReview(step, effect.revision(), effect.attempt(), why),
                new Change.Effect(
                    effect.number(),
                    effect.revision(),
                    EffectState.REVIEW,
                    effect.attempt(),
                    null,
                    null,
                    why,
                    null)));
  }
}
