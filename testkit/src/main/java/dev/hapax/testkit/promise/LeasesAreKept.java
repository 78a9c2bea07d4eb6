package dev.hapax.testkit.promise;

import java.util.ArrayList;
import java.util.List;

/**
 * Promise 7, for nodes: a node that was replaced writes nothing any more, and no node is replaced
 * while its lease lasts.
 */
public final class LeasesAreKept implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var written : evidence.observed(Observation.WrittenByReplaced.class)) {
      broken.add("node %d was replaced and wrote %s".formatted(written.node(), written.what()));
    }
    for (var taken : evidence.observed(Observation.TakenFromLiving.class)) {
      broken.add(
          "run %d was taken from node %d, whose lease had %s left"
              .formatted(taken.run(), taken.from(), taken.rest()));
    }
    return broken;
  }
}
