package dev.hapax.testkit.promise;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import java.util.ArrayList;
import java.util.List;

/** A store that cannot answer is no failure of a run, however its code has wrapped the refusal. */
public final class StoreIsNoOutcome implements Promise {
  /** What refusals of simulated stores say, and what code that wraps them says. */
  public static final String REFUSED = "simulated: the store cannot answer";

  public static final String WRAPPED = "simulated: it cannot be read";

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      Failure error = run.error();
      if (error != null
          && (error.message().contains(REFUSED) || error.message().contains(WRAPPED))) {
        broken.add(
            "run %s failed because the store could not answer: %s".formatted(run.id(), error));
      }
    }
    return broken;
  }
}
