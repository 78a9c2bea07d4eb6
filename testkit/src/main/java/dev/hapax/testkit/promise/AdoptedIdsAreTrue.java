package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The id that an effect has at its destination belongs to the revision that the ledger shows, it is
 * noted once, and what was noted stays.
 */
public final class AdoptedIdsAreTrue implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Observation.IdAdopted> adopted = new HashMap<>();
    Set<String> others = new HashSet<>();
    for (var one : evidence.observed(Observation.IdAdopted.class)) {
      if (one.told() == ClientCall.Answer.ACCEPTED) {
        var before = adopted.putIfAbsent(one.wireKey(), one);
        if (before != null) {
          broken.add("%s was noted after %s".formatted(one, before));
        }
      } else {
        others.add(one.externalId());
      }
    }
    for (EffectRecord row : evidence.effects()) {
      String id = row.externalId();
      if (id != null && !id.contains(row.wireKey())) {
        broken.add("%s has the id of another revision: %s".formatted(row.key(), id));
      }
      var noted = adopted.get(row.wireKey());
      if (noted != null && (id == null || others.contains(id))) {
        broken.add("%s, and the ledger has %s".formatted(noted, id));
      }
    }
    return broken;
  }
}
