package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Promise 4: when a request leaves, the store holds an open intent for exactly this attempt. */
public final class IntentBeforeSend implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Integer> sent = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord intent = sending.intent();
      int count = sent.merge(sending.wireKey() + " " + sending.claim(), 1, Integer::sum);
      String what = "%s '%s' left at %s".formatted(sending.effect(), sending.key(), sending.at());
      if (intent == null) {
        broken.add(what + " without an intent");
      } else if (!intent.state().isOpen()) {
        broken.add("%s when its effect was %s".formatted(what, intent.state().word()));
      } else if (intent.attempts() < count) {
        broken.add(
            "%s as sending %d, but only %d attempts were intended"
                .formatted(what, count, intent.attempts()));
      }
    }
    return broken;
  }
}
