package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Promise 1: everything that was acknowledged is in the store, and once the faults have stopped
 * every run ends.
 */
public final class AcceptedIsDurable implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> marks = marks(evidence);
    var runs = evidence.runsById();
    for (ClientCall call : evidence.calls()) {
      boolean acknowledged =
          call.answer() == ClientCall.Answer.ACCEPTED
              || call.answer() == ClientCall.Answer.DUPLICATE;
      if (acknowledged && call.run() != null && evidence.hasExpired(call.run())) {
        continue; // its retention was over, and that of its journal too
      }
      if (acknowledged && !runs.containsKey(call.run())) {
        broken.add("%s was acknowledged, but there is no such run".formatted(call));
      } else if (acknowledged && call.mark() != null && !isFound(call, marks)) {
        broken.add("%s was acknowledged, but the journal does not hold it".formatted(call));
      }
    }
    for (Run run : runs.values()) {
      if (!run.status().isEnd()) {
        broken.add(
            "run %s is still %s after the faults have stopped".formatted(run.id(), run.status()));
      }
    }
    return broken;
  }

  private static boolean isFound(ClientCall call, Set<String> marks) {
    String mark = call.mark();
    return mark == null
        || marks.contains(mark)
        || (call.wish() == ClientCall.Wish.CANCEL && marks.contains("canceled " + call.run()));
  }

  private static Set<String> marks(Evidence evidence) {
    Set<String> marks = new HashSet<>();
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        switch (line.entry()) {
          case RunEntry.Retried retried -> marks.add(retried.actor());
          case RunEntry.Replayed replayed -> marks.add(replayed.actor());
          case EffectEntry.Settled settled -> marks.add(settled.actor());
          case EffectEntry.SettledTooLate settled -> marks.add(settled.actor());
          case StepEntry.StepSettled settled -> marks.add(settled.actor());
          case RunEntry.CancelRequested canceled -> {
            marks.add(canceled.actor());
            marks.add("canceled " + run.id()); // the first request stays, later ones are the same
          }
          default -> {}
        }
      }
    }
    return marks;
  }
}
