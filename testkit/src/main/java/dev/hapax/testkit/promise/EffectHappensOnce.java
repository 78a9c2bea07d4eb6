package dev.hapax.testkit.promise;

import dev.hapax.flow.Kind;
import dev.hapax.run.EffectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Promise 6, the first half: what was intended once changed the destination once at most. Operators
 * who settle by looking are part of the promise; a flow that openly accepts repeats is not. An
 * upsert may arrive again with the same bytes, which {@link OneKeyPerIntent} sees to.
 */
public final class EffectHappensOnce implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Sending> once = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      if (!sending.applied() || sending.mayRepeat() || sending.guard().equals("upsert")) {
        continue;
      }
      Sending before = once.putIfAbsent(intent(sending), sending);
      if (before != null) {
        broken.add(
            "%s (guard %s) happened at least twice: sent at %s and at %s"
                .formatted(intent(sending), sending.guard(), before.at(), sending.at()));
      }
    }
    return broken;
  }

  /** What is created or told is done once in all its revisions; an update once in each. */
  private static String intent(Sending sending) {
    EffectRecord row = sending.intent();
    return row != null && row.kind() == Kind.UPDATE
        ? sending.intentKey() + " revision " + row.revision()
        : sending.intentKey();
  }
}
