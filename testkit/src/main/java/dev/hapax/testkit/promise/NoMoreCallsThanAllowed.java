package dev.hapax.testkit.promise;

import java.util.ArrayList;
import java.util.List;

/**
 * A destination has no more simultaneous calls than it was registered with, as long as a process
 * lives. {@link AcceptedIsDurable} checks that no call waits for its turn for ever.
 */
public final class NoMoreCallsThanAllowed implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var called : evidence.observed(Observation.DestinationCalled.class)) {
      if (called.underWay().size() > called.limit()) {
        broken.add(
            "%s has calls %s at once, but allows %d"
                .formatted(called.destination(), called.underWay(), called.limit()));
      }
    }
    return broken;
  }
}
