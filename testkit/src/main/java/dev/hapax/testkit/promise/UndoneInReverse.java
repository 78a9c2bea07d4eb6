package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compensation: a run undoes all its own effects, the last first. Once it has begun to undo, it
 * never goes forward again; but for an effect whose content a rework has changed, which is undone
 * and then sent again. An effect is locked while it is being undone. An effect that the run did not
 * send itself, or that another run has reused, is undone only if a person says so.
 */
public final class UndoneInReverse implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Fold> folds = new HashMap<>();
    for (Run run : evidence.runs()) {
      var fold = new Fold(run, broken);
      evidence.journal(run).forEach(fold::read);
      folds.put(run.id().toString(), fold);
    }
    Set<String> undoing = new HashSet<>();
    Set<String> sent = new HashSet<>();
    for (Sending sending : evidence.sendings()) {
      if (sending.isUndo()) {
        Fold fold = folds.get(sending.run());
        if (fold == null || !fold.isOfRework(sending)) {
          undoing.add(sending.run());
        }
        undo(sending, sent, fold, broken);
      } else {
        if (undoing.contains(sending.run())) {
          broken.add("%s left though its run undoes what it has done".formatted(sending));
        }
        sent.add(revision(sending.run(), sending.intentKey(), sending.intent()));
      }
    }
    return broken;
  }

  private static String revision(String run, String intent, @Nullable EffectRecord row) {
    return "%s of %s, revision %d".formatted(intent, run, row == null ? 0 : row.revision());
  }

  private static void undo(
      Sending undo, Set<String> sent, @Nullable Fold fold, List<String> broken) {
    EffectRecord target = undo.target();
    if (target == null || target.state() != EffectState.UNDOING) {
      broken.add("%s left, but what it undoes was not locked: %s".formatted(undo, target));
      return;
    }
    if (fold == null) {
      return; // its run was lost: AcceptedIsDurable reports it
    }
    String what = revision(undo.run(), undo.undoneKey(), undo.intent());
    boolean isOurs = sent.contains(what) && target.reusedBy() == null;
    if (!isOurs && !fold.allowed.contains(target.key().name())) {
      broken.add(
          "%s left, but its run did not send what it undoes, or another run has its result, and nobody allowed it"
              .formatted(undo));
    }
  }

  /** The effects of a run and how far they are undone, read from its journal. */
  private static final class Fold {
    private final Run run;
    private final List<String> broken;
    private final Map<Step, EffectEntry.Claimed> claims = new HashMap<>();
    private final Deque<EffectEntry.Claimed> done = new ArrayDeque<>();

    /** The names of effects whose undo a person has allowed. */
    private final Set<String> allowed = new HashSet<>();

    /** The revisions that a rework undoes. */
    private final Set<String> reworked = new HashSet<>();

    /** What a person is asked about because its content changed. */
    private final Map<Step, EffectEntry.Claimed> reviewed = new HashMap<>();

    private boolean undoes;

    Fold(Run run, List<String> broken) {
      this.run = run;
      this.broken = broken;
    }

    void read(JournalLine line) {
      JournalEntry entry = line.entry();
      Step step = entry.step();
      if (entry instanceof RunEntry.CompensationStarted) {
        undoes = true;
      } else if (entry instanceof RunEntry.Ended end) {
        end(end);
      } else if (step != null && step.isUndo()) {
        readUndo(line, step);
      } else if (step != null) {
        readForward(line, step);
      }
    }

    /** A replay attaches children again; a run that failed before it reached them lets them go. */
    private static boolean isEndOfCall(JournalEntry entry) {
      return entry instanceof CallEntry.CallStopped || entry instanceof CallEntry.CallAwaited;
    }

    private void readForward(JournalLine line, Step step) {
      if (undoes
          && !(line.entry() instanceof LockEntry.LockReleased)
          && !(line.entry() instanceof EffectEntry.AnsweredLate) // it is only evidence
          && !isEndOfCall(line.entry())) {
        report("it went forward with %s".formatted(line.entry()));
      }
      switch (line.entry()) {
        case EffectEntry.Claimed claim -> {
          claims.remove(step);
          reviewed.remove(step);
          if (line.answer() instanceof ClaimAnswer.UndoFirst(long _, int revision, var _)) {
            reworked.add(what(claim.name(), claim.key(), revision));
          } else if (line.answer() instanceof ClaimAnswer.ReviewRework) {
            reviewed.put(step, claim);
          }
          boolean isOurs =
              line.answer() instanceof ClaimAnswer.Granted
                  || line.answer() instanceof ClaimAnswer.Abandoned;
          if (isOurs && Boolean.TRUE.equals(claim.undoable())) {
            claims.put(step, claim);
          }
        }
        case EffectEntry.EffectDone _ -> isDone(step);
        case EffectEntry.Settled settled when settled.decision() == SettleDecision.HAPPENED ->
            isDone(step);
        case EffectEntry.Settled settled when settled.decision() == SettleDecision.NOT_HAPPENED ->
            isGone(reviewed.remove(step));
        case StepEntry.StepSettled _ -> isDone(step);
        default -> {}
      }
    }

    private void isDone(Step step) {
      EffectEntry.Claimed claim = claims.remove(step);
      if (claim != null) {
        done.push(claim);
      }
    }

    private static String what(String name, String key, int revision) {
      return "%s %s %d".formatted(name, key, revision);
    }

    /** Whether a rework, and not a compensation, undoes it. */
    boolean isOfRework(Sending undo) {
      EffectRecord target = undo.target();
      EffectRecord intent = undo.intent();
      return target != null
          && intent != null
          && reworked.contains(what(target.key().name(), target.key().key(), intent.revision()));
    }

    /** A person has said that it is not there, or a rework has undone it. */
    private void isGone(EffectEntry.@Nullable Claimed what) {
      if (what != null) {
        for (EffectEntry.Claimed one : done) {
          if (one.name().equals(what.name()) && one.key().equals(what.key())) {
            done.remove(one);
            return;
          }
        }
      }
    }

    /** The undo of a rework: of any effect, not only of the last one. */
    private void readRework(JournalLine line, Step undo) {
      if (line.entry() instanceof EffectEntry.Claimed claim) {
        String of = claim.name().substring(0, claim.name().length() - Sending.UNDO.length());
        if (reworked.stream().noneMatch(one -> one.startsWith(of + " " + claim.key() + " "))) {
          report("it undoes without having said why: %s".formatted(line.entry()));
        }
        claims.put(
            undo,
            new EffectEntry.Claimed(
                undo, claim.effect(), of, claim.key(), claim.kind(), claim.guard(), null));
      }
      EffectEntry.Claimed what = claims.get(undo);
      boolean isOver =
          line.answer() instanceof ClaimAnswer.Overtaken
              || line.entry() instanceof EffectEntry.EffectDone
              || line.entry() instanceof StepEntry.StepSettled
              || line.entry() instanceof EffectEntry.Skipped
              || (line.entry() instanceof EffectEntry.Settled settled
                  && settled.decision() != SettleDecision.NOT_HAPPENED);
      if (isOver) {
        isGone(what);
      } else if (line.entry() instanceof EffectEntry.Settled && what != null) {
        allowed.add(what.name());
      }
    }

    private void readUndo(JournalLine line, Step undo) {
      if (!undoes) {
        readRework(line, undo);
        return;
      }
      switch (line.entry()) {
        case EffectEntry.Claimed claim -> {
          EffectEntry.Claimed next = done.peek();
          if (next == null
              || !claim.name().equals(next.name() + Sending.UNDO)
              || !claim.key().equals(next.key())) {
            report("it undoes %s, but %s is next".formatted(claim, next));
          }
          if (line.answer() instanceof ClaimAnswer.Overtaken) {
            done.poll();
          }
        }
        case EffectEntry.Settled settled -> {
          EffectEntry.Claimed next = done.peek();
          if (settled.decision() != SettleDecision.NOT_HAPPENED) {
            done.poll();
          } else if (next != null) {
            allowed.add(next.name());
          }
        }
        case EffectEntry.EffectDone _, StepEntry.StepSettled _, EffectEntry.Skipped _ ->
            done.poll();
        default -> {}
      }
    }

    private void end(RunEntry.Ended end) {
      if (end.status() == RunStatus.COMPENSATED && (!undoes || !done.isEmpty())) {
        report("it counts as compensated, but these are left: %s".formatted(done));
      }
      if (undoes && end.status() != RunStatus.COMPENSATED && end.status() != RunStatus.FAILED) {
        report("it began to undo what it had done and ended as %s".formatted(end.status()));
      }
    }

    private void report(String what) {
      broken.add("run %s: %s".formatted(run.id(), what));
    }
  }
}
