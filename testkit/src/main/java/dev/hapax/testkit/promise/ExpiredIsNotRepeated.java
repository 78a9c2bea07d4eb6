package dev.hapax.testkit.promise;

import dev.hapax.flow.RunId;
import dev.hapax.run.KeyHolder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Promise 10: a key whose run has expired is answered by a tombstone and gets no second run, unless
 * its flow says so or a person made the store forget the key. For everything that was accepted at
 * least the tombstone is there, and it names an end. {@link EffectHappensOnce} checks that no
 * effect is sent again because its row has expired.
 */
public final class ExpiredIsNotRepeated implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, String> runOf = new HashMap<>();
    Set<String> mayBeNew = new HashSet<>();
    for (Observation seen : evidence.observations()) {
      switch (seen) {
        case Observation.KeyForgotten(var key, var told) -> {
          if (told != ClientCall.Answer.REFUSED) {
            mayBeNew.add(key);
          }
        }
        case Observation.KeyReturned back -> {
          String run = back.run();
          String before = run == null ? null : runOf.put(back.key(), run);
          boolean isOther = before != null && !before.equals(run);
          if (isOther && !back.anew() && !mayBeNew.contains(back.key())) {
            broken.add("%s, but %s was its run before".formatted(back, before));
          }
          if (isOther) {
            mayBeNew.remove(back.key());
          }
          if (run != null) {
            isThere(back, run, evidence, broken);
          }
        }
        default -> {}
      }
    }
    return broken;
  }

  private static void isThere(
      Observation.KeyReturned back, String run, Evidence evidence, List<String> broken) {
    KeyHolder holder = evidence.store().holder(RunId.parse(run));
    if (holder == null) {
      broken.add("%s, but nothing is left of that run".formatted(back));
    } else if (holder instanceof KeyHolder.Expired(var tombstone, var _)
        && !tombstone.status().isEnd()) {
      broken.add("run %s expired though it was %s".formatted(run, tombstone.status()));
    }
  }
}
