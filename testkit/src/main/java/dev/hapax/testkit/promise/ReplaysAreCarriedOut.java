package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.history.RunHistory;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An accepted replay is in the journal once, with exactly what its plan sends, and in the history
 * with its reasons. One that was refused is not there, and one plan is carried out once at most.
 * The same holds for each run in the plan of a job. {@link AcceptedIsDurable} checks that the run
 * then ends again.
 */
public final class ReplaysAreCarriedOut implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Run> runs = evidence.runsById();
    Map<String, String> byPlan = new HashMap<>();
    for (var told : JobReplays.of(evidence)) {
      Run run = runs.get(told.run());
      if (run != null) {
        var _ = carriedOut(evidence, run, told, broken);
      }
    }
    for (var told : evidence.observed(Observation.ReplayTold.class)) {
      Run run = runs.get(told.run());
      if (run == null) {
        continue; // it has expired since, or AcceptedIsDurable reports it
      }
      for (RunEntry.Replayed _ : carriedOut(evidence, run, told, broken)) {
        forced(evidence, told, broken);
        explained(evidence, run, told, broken);
        String other = byPlan.putIfAbsent(told.plan().digest(), told.mark());
        if (other != null) {
          broken.add("%s and %s applied the same plan".formatted(other, told.mark()));
        }
      }
    }
    return broken;
  }

  /** Returns its entries in the journal of the run. */
  private static List<RunEntry.Replayed> carriedOut(
      Evidence evidence, Run run, Observation.ReplayTold told, List<String> broken) {
    List<RunEntry.Replayed> found = found(evidence, run, told.mark());
    boolean isRight =
        switch (told.told()) {
          case ACCEPTED -> found.size() == 1;
          case UNKNOWN -> found.size() <= 1;
          default -> found.isEmpty();
        };
    if (!isRight) {
      broken.add(
          "replay %s of run %s was %s, and is in the journal %d times"
              .formatted(told.mark(), told.run(), told.told(), found.size()));
    }
    found.forEach(entry -> asPlanned(told, entry, broken));
    return found;
  }

  private static List<RunEntry.Replayed> found(Evidence evidence, Run run, String mark) {
    List<RunEntry.Replayed> found = new ArrayList<>();
    for (JournalLine line : evidence.journal(run)) {
      if (line.entry() instanceof RunEntry.Replayed entry && entry.actor().equals(mark)) {
        found.add(entry);
      }
    }
    return found;
  }

  private static void asPlanned(
      Observation.ReplayTold told, RunEntry.Replayed entry, List<String> broken) {
    List<ReplayPlan.Item> planned =
        told.plan().items().stream()
            .filter(item -> item.decision() == ReplayPlan.Decision.SEND)
            .toList();
    List<ReplayTerms.Send> sends = entry.terms().sends();
    boolean isSame =
        planned.size() == sends.size()
            && sends.stream()
                .allMatch(send -> planned.stream().anyMatch(item -> isSame(item, send)));
    if (!isSame) {
      broken.add(
          "the plan of %s sends %s, and its replay may send %s"
              .formatted(told.mark(), planned, sends));
    }
  }

  /** A plan that reaches an effect which a person named sends it. */
  private static void forced(Evidence evidence, Observation.ReplayTold told, List<String> broken) {
    for (ReplayWish.Force force : told.plan().wish().force()) {
      EffectRecord row = evidence.store().effect(EffectRecord.number(force.effect()));
      boolean isImported = row == null || row.isImported(); // what others did is not sent
      for (ReplayPlan.Item item : told.plan().items()) {
        boolean isReused =
            item.decision() == ReplayPlan.Decision.REUSE
                || item.decision() == ReplayPlan.Decision.CHANGED;
        if (force.effect().equals(item.effect()) && isReused && !isImported) {
          broken.add("%s forces %s, and its plan has %s".formatted(told.mark(), force, item));
        }
      }
    }
  }

  private static boolean isSame(ReplayPlan.Item item, ReplayTerms.Send send) {
    return item.step().equals(send.step().name())
        && Objects.equals(item.item(), send.step().item())
        && item.name().equals(send.name())
        && Objects.equals(item.key(), send.key())
        && Objects.equals(item.revision(), send.revision());
  }

  private static void explained(
      Evidence evidence, Run run, Observation.ReplayTold told, List<String> broken) {
    boolean isTold = false;
    for (HistoryEntry line : RunHistory.of(run, evidence.store().journal(run.number()))) {
      String decision = String.valueOf(line.decision());
      isTold |=
          line.type().equals("replayed")
              && decision.contains("by " + told.mark() + " ")
              && told.reason().equals(line.evidence())
              && told.plan().wish().force().stream()
                  .map(ReplayWish.Force::reason)
                  .allMatch(decision::contains);
    }
    if (!isTold) {
      broken.add("no history tells of replay %s with its reasons".formatted(told.mark()));
    }
  }
}
