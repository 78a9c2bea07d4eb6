package dev.hapax.testkit.promise;

import dev.hapax.run.Answer;
import dev.hapax.run.CallAnswer;
import dev.hapax.run.ClaimAnswer;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
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
      if (isLater && line.entry() instanceof JournalEntry.Retried) {
        break;
      }
      isTold |= line.entry() instanceof JournalEntry.CancelRequested;
      hasEnded |= isLater && line.entry() instanceof JournalEntry.Ended;
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
      case JournalEntry.Claimed claim
          when !claim.step().isUndo() && line.answer() instanceof ClaimAnswer.Granted ->
          "claimed " + claim.step();
      case JournalEntry.Attempted attempt
          when !attempt.step().isUndo() && line.answer() instanceof ClaimAnswer.Granted ->
          "attempted " + attempt.step() + " again";
      case JournalEntry.Called call when reply instanceof CallAnswer -> "called " + call.step();
      case JournalEntry.SpawnedRun spawn when reply instanceof Answer.Spawned ->
          "started " + spawn.step();
      case JournalEntry.Published publish when !(reply instanceof ClaimAnswer.Refused) ->
          "published " + publish.step();
      case JournalEntry.Ended end
          when end.status() == RunStatus.SUCCEEDED || end.status() == RunStatus.PARTIAL ->
          "ended as " + end.status().word();
      default -> null;
    };
  }
}
