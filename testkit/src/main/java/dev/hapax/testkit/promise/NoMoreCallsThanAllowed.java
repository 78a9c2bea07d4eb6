package dev.hapax.testkit.promise;

import java.util.ArrayList;
import java.util.List;

/**
 * A destination has no more calls at once than it was registered with, as long as a process lives.
 * That nobody waits for its turn for ever is told by {@link AcceptedIsDurable}.
 */
public final class NoMoreCallsThanAllowed implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var called : evidence.observed(Observation.DestinationCalled.class)) {
      if (called.underWay().size() > called.limit()) {
        broken.add(
            "%s has calls %s at once, and bears %d"
                .formatted(called.destination(), called.underWay(), called.limit()));
      }
    }
    return broken;
  }
}
