package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.run.wait.Wait;
import java.util.ArrayList;
import java.util.List;

/**
 * The open questions of a run end with it: no list shows an approval whose run is over. Only the
 * token of a callback stays open while its run can still be retried.
 */
public final class EndedRunsAskNobody implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      for (Wait wait : evidence.store().waits().ofRun(run.number())) {
        boolean mayStay = wait.kind() == Wait.Kind.CALLBACK && run.status().canBeRetried();
        if (run.status().isEnd() && wait.isOpen() && !mayStay) {
          broken.add(
              "run %s is %s, and %s is still open".formatted(run.id(), run.status(), wait.id()));
        }
      }
    }
    return broken;
  }
}
