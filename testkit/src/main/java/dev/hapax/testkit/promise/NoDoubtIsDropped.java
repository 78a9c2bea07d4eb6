package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.SettleDecision;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Promise 6, the second half: an attempt with an unknown outcome is recorded as a doubt until an
 * answer, a lookup or a person settles it. It never silently becomes "failed" or "not applied", and
 * at the end nothing is left in doubt.
 */
public final class NoDoubtIsDropped implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var heard = heard(evidence);
    for (EffectTrail trail : EffectTrail.of(evidence)) {
      new Fold(trail, heard, broken).read();
    }
    for (EffectRecord row : evidence.effects()) {
      if (row.state().isOpen()) {
        broken.add("effect %s %s is left as %s".formatted(row.id(), row.key(), row.state().word()));
      }
    }
    return broken;
  }

  /**
   * Returns the answers by claim and attempt. If two undos have one number, the clear answer is
   * taken.
   */
  private static Map<String, Sending.Heard> heard(Evidence evidence) {
    Map<String, Sending.Heard> heard = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      if (row != null) {
        heard.merge(
            attempt(sending.claim(), row.attempts()),
            sending.heard(),
            (a, b) -> a.isAmbiguous() == sending.isUndo() ? b : a);
      }
    }
    return heard;
  }

  private static String attempt(String claim, int attempt) {
    return claim + "/" + attempt;
  }

  /** Reads one trail and tracks whether the effect may have happened. */
  private static final class Fold {
    private final EffectTrail trail;
    private final Map<String, Sending.Heard> heard;
    private final List<String> broken;
    private String claim = "";
    private boolean doubtful;
    private int last;
    private int closed;

    Fold(EffectTrail trail, Map<String, Sending.Heard> heard, List<String> broken) {
      this.trail = trail;
      this.heard = heard;
      this.broken = broken;
    }

    void read() {
      for (JournalLine line : trail.lines()) {
        switch (line.entry()) {
          case EffectEntry effect -> read(effect, line);
          case StepEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _, RunEntry _ -> {}
        }
      }
    }

    private void read(EffectEntry effect, JournalLine line) {
      switch (effect) {
        case EffectEntry.Claimed _ -> {
          if (line.answer() instanceof ClaimAnswer.Granted) {
            claim = Sending.claim(trail.effect(), trail.revision(), line.row().at());
          }
          last = Math.max(last, 1);
        }
        case EffectEntry.Attempted entry -> last = entry.attempt();
        case EffectEntry.SentAgain entry -> last = entry.attempt();
        case EffectEntry.NotApplied entry -> {
          if (isAmbiguous(entry.attempt())) {
            report(entry.attempt(), "not applied");
          }
        }
        case EffectEntry.EffectFailed entry -> {
          if (doubtful || isAmbiguous(entry.attempt())) {
            report(entry.attempt(), "failed");
          }
        }
        case EffectEntry.InDoubt _, EffectEntry.InReview _ -> doubtful = true;
        case EffectEntry.ProvenAbsent _, EffectEntry.EffectDone _ -> settle();
        case EffectEntry.Settled settled -> {
          if (settled.decision() != SettleDecision.ABANDON) {
            settle();
          }
        }
        case EffectEntry.SettledTooLate _,
            EffectEntry.AnsweredLate _,
            EffectEntry.Skipped _,
            EffectEntry.LeftBehind _ -> {}
      }
    }

    /** Closes every attempt so far. */
    private void settle() {
      doubtful = false;
      closed = last;
    }

    private boolean isAmbiguous(int attempt) {
      Sending.Heard told = heard.get(attempt(claim, attempt));
      return attempt > closed && told != null && told.isAmbiguous();
    }

    private void report(int attempt, String state) {
      broken.add(
          "attempt %d of revision %d of effect %s may have happened, but it was recorded as %s"
              .formatted(attempt, trail.revision(), EffectRecord.id(trail.effect()), state));
    }
  }
}
