package dev.hapax.testkit.promise;

import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A replay sends what the plan has that the person saw, and nothing else: neither what the plan
 * keeps and reuses nor what it does not name. A run that wants more is stopped, and does not
 * succeed, until a person retries it or applies another plan.
 */
public final class ReplaysKeepToTheirPlan implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, ReplayPlan> plans = new HashMap<>();
    for (var told : evidence.observed(Observation.ReplayTold.class)) {
      plans.put(told.mark(), told.plan());
    }
    for (Run run : evidence.runs()) {
      new Fold(run, plans, broken).read(evidence.journal(run));
    }
    return broken;
  }

  /** Reads one journal. */
  private static final class Fold {
    private final Run run;
    private final Map<String, ReplayPlan> plans;
    private final List<String> broken;
    private @Nullable ReplayPlan plan;
    private boolean isStale;

    Fold(Run run, Map<String, ReplayPlan> plans, List<String> broken) {
      this.run = run;
      this.plans = plans;
      this.broken = broken;
    }

    void read(List<JournalLine> journal) {
      for (JournalLine line : journal) {
        switch (line.entry()) {
          case RunEntry.Replayed replayed -> {
            plan = plans.get(replayed.actor());
            isStale = false;
          }
          case RunEntry.Retried _ -> {
            plan = null;
            isStale = false;
          }
          case EffectEntry.Claimed claim when !claim.step().isUndo() -> claimed(claim, line);
          case RunEntry.Ended end -> ended(end);
          default -> {}
        }
      }
    }

    private void claimed(EffectEntry.Claimed claim, JournalLine line) {
      ReplayPlan limits = plan;
      if (line.answer() instanceof ClaimAnswer.NotPlanned(int revision)) {
        isStale = true;
        if (limits == null) {
          report("%s was refused, and there is no plan".formatted(claim));
        }
        if (limits != null && isPlanned(limits, claim, revision)) {
          report("%s is in the plan, and was refused".formatted(claim));
        }
      }
      if (limits != null
          && line.answer() instanceof ClaimAnswer.Granted(long _, int revision)
          && !isPlanned(limits, claim, revision)) {
        report("it sent revision %d of %s, which is not in %s".formatted(revision, claim, limits));
      }
    }

    private static boolean isPlanned(ReplayPlan plan, EffectEntry.Claimed claim, int revision) {
      return plan.items().stream()
          .anyMatch(
              item ->
                  item.decision() == ReplayPlan.Decision.SEND
                      && item.step().equals(claim.step().name())
                      && item.name().equals(claim.name())
                      && (item.key() == null
                          || (item.key().equals(claim.key())
                              && Objects.equals(item.item(), claim.step().item())
                              && Objects.equals(item.revision(), revision))));
    }

    private void ended(RunEntry.Ended end) {
      if (isStale && (end.status() == RunStatus.SUCCEEDED || end.status() == RunStatus.PARTIAL)) {
        report("it ended as %s, though its plan was stale".formatted(end.status()));
      }
    }

    private void report(String what) {
      broken.add("run %s: %s".formatted(run.id(), what));
    }
  }
}
