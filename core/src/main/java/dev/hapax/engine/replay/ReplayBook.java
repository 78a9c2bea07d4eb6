package dev.hapax.engine.replay;

import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.ledger.ClaimRule;
import dev.hapax.run.ledger.ReplayClaim;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The replays of a run by people, folded from its journal or from that of an item: what the last
 * one allows, and which revision each step has of its effect. Safe for the run's fibers.
 */
public final class ReplayBook {
  /** By step in its first round: a later round does the same work again. */
  private final Map<Step, Had> had = new HashMap<>();

  private final Map<Step, Had> claimed = new HashMap<>();

  /** The revisions that the plan refused. The run stays stopped there until a person acts. */
  private final Map<Step, Integer> refused = new HashMap<>();

  private @Nullable ReplayTerms terms;
  private boolean isLimited;
  private boolean corrects;

  private record Had(String name, String key, int revision, @Nullable String output, String run) {}

  /** Returns a copy in which a pass notes what it writes. */
  synchronized ReplayBook copy() {
    var copy = new ReplayBook();
    copy.had.putAll(had);
    copy.claimed.putAll(claimed);
    copy.refused.putAll(refused);
    copy.terms = terms;
    copy.isLimited = isLimited;
    copy.corrects = corrects;
    return copy;
  }

  synchronized void note(EffectEntry.Claimed claim, Answer answer) {
    if (answer instanceof ClaimAnswer.Reused reused && !reused.stale()) {
      had.put(
          claim.step().inRound(1),
          new Had(claim.name(), claim.key(), reused.revision(), reused.output(), reused.fromRun()));
    } else if (answer instanceof ClaimAnswer.Granted granted) {
      claimed.put(
          claim.step().inRound(1),
          new Had(claim.name(), claim.key(), granted.revision(), null, ""));
    } else if (answer instanceof ClaimAnswer.NotPlanned(int revision)) {
      refused.put(claim.step(), revision);
    }
  }

  synchronized void note(EffectEntry entry) {
    if (entry instanceof EffectEntry.EffectDone done) {
      done(done.step(), done.output());
    } else if (entry instanceof EffectEntry.Settled settled
        && settled.decision() == SettleDecision.HAPPENED) {
      done(settled.step(), settled.output());
    }
  }

  synchronized void done(Step step, @Nullable String output) {
    Had one = claimed.remove(step.inRound(1));
    if (one != null) {
      had.put(step.inRound(1), new Had(one.name, one.key, one.revision, output, one.run));
    }
  }

  synchronized void replayed(RunEntry.Replayed replayed) {
    terms = replayed.terms();
    isLimited = true;
    refused.clear();
    corrects =
        replayed.input() != null
            || replayed.release() != null
            || !replayed.terms().outputs().isEmpty()
            || !replayed.terms().ask().isEmpty();
  }

  /** A person lets the run go on without a plan. */
  synchronized void retried() {
    isLimited = false;
    refused.clear();
  }

  /** The revision that the plan of the last replay refused to this step; null if it did not. */
  public synchronized @Nullable Integer refused(Step step) {
    return refused.get(step);
  }

  /**
   * What the last replay says about this claim; null if the run was never replayed.
   *
   * @param run the id of the run
   */
  public synchronized @Nullable ReplayClaim claim(Step step, String name, String key, String run) {
    ReplayTerms last = terms;
    if (last == null) {
      return null;
    }
    return new ReplayClaim(
        revision(step, name, key, run),
        corrects,
        last.forced(name, key),
        isLimited ? planned(last, step, name, key) : ReplayClaim.ANY);
  }

  private static int planned(ReplayTerms terms, Step step, String name, String key) {
    ReplayTerms.Send send = terms.send(step, name, key);
    if (send == null) {
      return ReplayClaim.NOTHING;
    }
    Integer revision = send.revision();
    return revision == null ? ReplayClaim.ANY : revision;
  }

  private ClaimRule.@Nullable Revision revision(Step step, String name, String key, String run) {
    Had before = had.get(step.inRound(1));
    return before == null || !before.name.equals(name) || !before.key.equals(key)
        ? null
        : new ClaimRule.Revision(
            before.revision, null, before.output, before.run.isEmpty() ? run : before.run);
  }
}
