package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * After the commit that accepts a cancel, the run claims nothing forward, calls no child and
 * neither succeeds nor ends as partial, until it is retried. Its journal records the cancel.
 */
public final class AcceptedCancelIsKept implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<Long, Run> runs =
        evidence.runs().stream().collect(Collectors.toMap(Run::number, Function.identity()));
    for (var cancel : evidence.observed(Observation.CancelAccepted.class)) {
      Run run = runs.get(cancel.run());
      if (run != null) {
        read(run, evidence.landed(cancel.op()), evidence, broken);
      }
    }
    return broken;
  }

  private static void read(Run run, long accepted, Evidence evidence, List<String> broken) {
    boolean isTold = false;
    boolean hasEnded = false;
    for (JournalLine line : evidence.journal(run)) {
      boolean isLater = evidence.landed(line) > accepted;
      if (isLater
          && (line.entry() instanceof RunEntry.Retried
              || line.entry() instanceof RunEntry.Replayed)) {
        break;
      }
      isTold |= line.entry() instanceof RunEntry.CancelRequested;
      hasEnded |= isLater && line.entry() instanceof RunEntry.Ended;
      String forbidden = isLater ? forbidden(line) : null;
      if (forbidden != null) {
        broken.add("run %s %s after its cancel was accepted".formatted(run.id(), forbidden));
      }
    }
    if (hasEnded && !isTold) {
      broken.add("the cancel of run %s was accepted, but it has no history".formatted(run.id()));
    }
  }

  private static @Nullable String forbidden(JournalLine line) {
    Answer reply = line.reply();
    return switch (line.entry()) {
      case EffectEntry effect ->
          effect.step().isUndo() || !(line.answer() instanceof ClaimAnswer.Granted)
              ? null
              : sent(effect);
      case CallEntry.Called call when reply instanceof CallAnswer -> "called " + call.step();
      case CallEntry.SpawnedRun spawn when reply instanceof Answer.Spawned ->
          "started " + spawn.step();
      case StepEntry.Published publish when !(reply instanceof ClaimAnswer.Refused) ->
          "published " + publish.step();
      case RunEntry.Ended end
          when end.status() == RunStatus.SUCCEEDED || end.status() == RunStatus.PARTIAL ->
          "ended as " + end.status().word();
      case StepEntry _, LoopEntry _, WaitEntry _, CallEntry _, LockEntry _, RunEntry _ -> null;
    };
  }

  private static @Nullable String sent(EffectEntry granted) {
    return switch (granted) {
      case EffectEntry.Claimed claim -> "claimed " + claim.step();
      case EffectEntry.Attempted attempt -> "attempted " + attempt.step() + " again";
      case EffectEntry.SentAgain _, // it settles a doubt
          EffectEntry.NotApplied _,
          EffectEntry.InDoubt _,
          EffectEntry.ProvenAbsent _,
          EffectEntry.InReview _,
          EffectEntry.Settled _,
          EffectEntry.SettledTooLate _,
          EffectEntry.AnsweredLate _,
          EffectEntry.EffectDone _,
          EffectEntry.EffectFailed _,
          EffectEntry.Skipped _,
          EffectEntry.LeftBehind _ ->
          null;
    };
  }
}
