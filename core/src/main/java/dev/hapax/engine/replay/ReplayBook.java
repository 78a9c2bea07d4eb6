package dev.hapax.engine.replay;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.ReplayPlan;
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

  /** What the plan refused. The run stays stopped there until a person acts. */
  private final Map<Step, ClaimAnswer.NotPlanned> refused = new HashMap<>();

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
    } else if (answer instanceof ClaimAnswer.NotPlanned stale) {
      refused.put(claim.step(), stale);
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

  /** What the plan of the last replay refused to this step; null if it refused nothing. */
  public synchronized ClaimAnswer.@Nullable NotPlanned refused(Step step) {
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
    ReplayTerms.Send send = isLimited ? last.send(step, name, key) : null;
    return new ReplayClaim(
        revision(step, name, key, run),
        corrects,
        last.forced(name, key),
        planned(send),
        send == null ? null : send.request());
  }

  /** Whether only what the plan of the last replay has may be sent. */
  public synchronized boolean isLimited() {
    return isLimited;
  }

  /**
   * Says why a message or a run may not be handed over; null if it may.
   *
   * @param name of the destination or the flow
   * @param content its fingerprint
   */
  public synchronized @Nullable String refusal(
      ReplayPlan.Type type, Step step, String name, String key, Fingerprint content) {
    ReplayTerms last = terms;
    if (last == null || !isLimited) {
      return null;
    }
    ReplayTerms.Send send = last.send(type, step, name, key);
    String what =
        type == ReplayPlan.Type.RUN
            ? "a run of flow '%s' with key '%s'"
            : "a message to '%s' with id '%s'";
    if (send == null) {
      return what.formatted(name, key) + ", which the plan of the replay does not have";
    }
    String planned = send.request();
    return planned == null || planned.equals(content.hex())
        ? null
        : what.formatted(name, key) + ", with another content than the plan of the replay shows";
  }

  private int planned(ReplayTerms.@Nullable Send send) {
    if (!isLimited) {
      return ReplayClaim.ANY;
    }
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
