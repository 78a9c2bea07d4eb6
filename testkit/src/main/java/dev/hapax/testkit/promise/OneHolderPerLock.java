package dev.hapax.testkit.promise;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A lock has one holder at a time: a fence belongs to one run, and after a later holder was inside,
 * an earlier one never is again.
 */
public final class OneHolderPerLock implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Observation.LockUsed> last = new HashMap<>();
    for (var used : evidence.observed(Observation.LockUsed.class)) {
      Observation.LockUsed before = last.put(used.key(), used);
      if (before == null) {
        continue;
      }
      boolean sameHolder = before.run().equals(used.run());
      if (used.fence() < before.fence() || (used.fence() == before.fence() && !sameHolder)) {
        broken.add("%s was inside after %s".formatted(used, before));
      }
    }
    return broken;
  }
}
