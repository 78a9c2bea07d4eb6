package dev.hapax.testkit.promise;

import dev.hapax.flow.Alert;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An answer that comes after a person has decided is on record once, with that decision, and only
 * if the effect did happen. It is in the journal of the run that owns the effect now, also if an
 * earlier owner made the attempt and gave it up. The decision stays: the answer does not settle the
 * effect. Where alerts are wanted, people learn of an answer that contradicts the decision.
 */
public final class LateAnswersAreEvidence implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> applied = new HashSet<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      if (row != null && sending.heard() == Sending.Heard.DONE) {
        applied.add(row.number() + " " + row.revision());
      }
    }
    boolean alerts = !evidence.observed(Observation.AlertsWanted.class).isEmpty();
    for (Run run : evidence.runs()) {
      new Fold(run, applied, alerts, broken).read(evidence.journal(run));
    }
    return broken;
  }

  private record Decided(SettleDecision decision, String actor) {}

  /** Reads one journal. */
  private static final class Fold {
    private final Run run;
    private final Set<String> applied;
    private final boolean alerts;
    private final List<String> broken;
    private final Map<String, Decided> decided = new HashMap<>();
    private final Map<Step, String> closed = new HashMap<>();
    private final Map<Step, Long> effects = new HashMap<>();
    private final Set<String> told = new HashSet<>();

    Fold(Run run, Set<String> applied, boolean alerts, List<String> broken) {
      this.run = run;
      this.applied = applied;
      this.alerts = alerts;
      this.broken = broken;
    }

    void read(List<JournalLine> journal) {
      for (JournalLine line : journal) {
        switch (line.entry()) {
          case EffectEntry.Claimed claim when opened(line.answer()) != null -> {
            closed.remove(claim.step());
            effects.put(claim.step(), opened(line.answer()));
          }
          case EffectEntry.Settled settled -> settled(settled);
          case EffectEntry.EffectDone done when closed.containsKey(done.step()) ->
              report("%s came after %s".formatted(done, closed.get(done.step())));
          case EffectEntry.AnsweredLate late -> late(late, line, journal);
          default -> {}
        }
      }
    }

    /** The effect that is open from now on; null if none is. */
    private static @Nullable Long opened(@Nullable ClaimAnswer answer) {
      return switch (answer) {
        case ClaimAnswer.Granted granted -> granted.effect();
        case ClaimAnswer.Abandoned abandoned -> abandoned.effect();
        case ClaimAnswer.ReviewFirst review -> review.effect();
        case ClaimAnswer.ReviewRework review -> review.effect();
        case null, default -> null;
      };
    }

    private void settled(EffectEntry.Settled settled) {
      decided.put(
          effects.get(settled.step()) + " " + settled.revision(),
          new Decided(settled.decision(), settled.actor()));
      if (settled.decision() != SettleDecision.NOT_HAPPENED) {
        closed.put(settled.step(), settled.toString());
      } else {
        closed.remove(settled.step());
      }
    }

    private void late(EffectEntry.AnsweredLate late, JournalLine line, List<JournalLine> journal) {
      String what = late.effect() + " " + late.revision();
      if (!new Decided(late.decision(), late.actor()).equals(decided.get(what))) {
        report("%s, but the decision was %s".formatted(late, decided.get(what)));
      }
      if (!told.add(what)) {
        report("%s is on record twice".formatted(late));
      }
      if (!applied.contains(what)) {
        report("%s, but no attempt was answered so".formatted(late));
      }
      boolean isAlerted =
          journal.stream()
              .anyMatch(
                  one ->
                      one.row().seq() == line.row().seq()
                          && one.entry() instanceof RunEntry.Alerted alerted
                          && alerted.alert() == Alert.REVIEW);
      if (alerts && late.contradicts() && !isAlerted) {
        report("%s, and people were not alerted".formatted(late));
      }
    }

    private void report(String what) {
      broken.add("run %s: %s".formatted(run.id(), what));
    }
  }
}
