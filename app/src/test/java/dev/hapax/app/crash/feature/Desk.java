package dev.hapax.app.crash.feature;

import dev.hapax.Approvals;
import dev.hapax.Hapax;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds in the lists of the public API what needs a person, and reports each item once per process.
 */
final class Desk {
  private final Hapax hapax;
  private final Set<String> reported = new HashSet<>();

  Desk(Hapax hapax) {
    this.hapax = hapax;
  }

  void look() {
    for (Approvals.Item item : hapax.approvals().list(hapax.approvals().open())) {
      if (reported.add(item.id())) {
        Report.ASKS.say(item.id(), item.ask(), item.canRework());
      }
    }
    for (EffectRecord effect : hapax.effects(hapax.effects().state(EffectState.REVIEW))) {
      if (reported.add(effect.id() + " " + effect.attempts())) {
        Report.REVIEW.say(effect.id(), effect.step().name(), effect.key().key());
      }
    }
    for (Run run : hapax.runs(hapax.runs().status(RunStatus.PARTIAL))) {
      if (reported.add(run.id().toString())) {
        Report.PARTIAL.say(run.id(), run.key());
      }
    }
  }

  /** Whether every run has come to its end, and what is soon forgotten is. */
  boolean isQuiet() {
    return List.of(Case.Kind.NOTE.flow(), Notes.SCHEDULE).stream().allMatch(this::hasNone)
        && allHaveEnded()
        && allHaveEnded(); // also what began while they were looked at
  }

  private boolean hasNone(String flow) {
    RunFilter all = hapax.runs();
    return hapax.runs(new RunFilter(all.tenant(), flow, null, null, null, 1)).isEmpty();
  }

  /**
   * By first asking for each status, which is cheap, and then for each run: one that goes from one
   * status to another could escape the first.
   */
  private boolean allHaveEnded() {
    for (RunStatus status : RunStatus.values()) {
      if (!isOver(status) && !hapax.runs(hapax.runs().status(status)).isEmpty()) {
        return false;
      }
    }
    RunFilter all = hapax.runs();
    List<Run> page = hapax.runs(all);
    while (!page.isEmpty() && page.stream().allMatch(run -> isOver(run.status()))) {
      long before = page.getLast().number();
      page = hapax.runs(new RunFilter(all.tenant(), null, null, null, before, all.limit()));
    }
    return page.isEmpty();
  }

  private static boolean isOver(RunStatus status) {
    return status.isEnd() && status != RunStatus.PARTIAL;
  }
}
