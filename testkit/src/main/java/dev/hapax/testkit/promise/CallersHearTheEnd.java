package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A caller learns the outcome of its child, and not before the child has ended. A caller that is
 * retried retries its own failed child too. A child that was retried has had several ends, and is
 * not judged.
 */
public final class CallersHearTheEnd implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<Long, Run> endedOnce = new HashMap<>();
    Set<String> byHand = new HashSet<>(); // a person has given the result of one of their steps
    for (Run run : evidence.runs()) {
      if (evidence.journal(run).stream().anyMatch(CallersHearTheEnd::isByHand)) {
        byHand.add(run.id().toString());
      }
      if (!has(evidence.journal(run), RunEntry.Retried.class)
          && !has(evidence.journal(run), RunEntry.Replayed.class)) {
        endedOnce.put(run.number(), run);
      }
    }
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.reply() instanceof CallAnswer.Ended ended) {
          heard(run, line, ended, endedOnce, broken);
        }
      }
    }
    for (var called : evidence.observed(Observation.ChildReturned.class)) {
      for (Run child : endedOnce.values()) {
        boolean isMeant = child.flow().equals(called.flow()) && child.key().equals(called.key());
        if (isMeant && child.status() != RunStatus.SUCCEEDED && !byHand.contains(called.caller())) {
          broken.add("a body got %s, but %s".formatted(called, child));
        }
      }
    }
    return broken;
  }

  private static boolean isByHand(JournalLine line) {
    return line.entry() instanceof StepEntry.StepSettled
        || (line.entry() instanceof RunEntry.Replayed replayed
            && !replayed.terms().outputs().isEmpty());
  }

  private static boolean has(List<JournalLine> journal, Class<? extends JournalEntry> kind) {
    return journal.stream().anyMatch(line -> kind.isInstance(line.entry()));
  }

  private static void heard(
      Run caller,
      JournalLine line,
      CallAnswer.Ended ended,
      Map<Long, Run> endedOnce,
      List<String> broken) {
    Run child = endedOnce.get(ended.child());
    boolean isTrue =
        ended.status().isEnd()
            && (child == null
                || (child.status() == ended.status()
                    && Objects.equals(child.output(), ended.output())));
    if (!isTrue) {
      broken.add("run %s heard %s, but the child is %s".formatted(caller.id(), ended, child));
    }
    boolean hasFailed = ended.status() == RunStatus.FAILED || ended.status() == RunStatus.PARTIAL;
    if (line.entry() instanceof CallEntry.CallRetried && ended.isOwn() && hasFailed) {
      broken.add("run %s was retried, and its child was not: %s".formatted(caller.id(), ended));
    }
  }
}
