package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Promise 5: effect name, business key and revision have one key on the wire, with the same bytes
 * in every attempt, no matter which run sends; two intents never share one.
 */
public final class OneKeyPerIntent implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Map<String, Sending> byIntent = new HashMap<>();
    Map<String, String> intentOf = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      if (row == null) {
        continue; // IntentBeforeSend reports it
      }
      String intent = sending.intentKey() + " revision " + row.revision();
      Sending first = byIntent.putIfAbsent(intent, sending);
      if (first != null && !first.wireKey().equals(sending.wireKey())) {
        broken.add(
            "%s was sent as %s and as %s".formatted(intent, first.wireKey(), sending.wireKey()));
      }
      if (first != null && !Objects.equals(first.request(), sending.request())) {
        broken.add(
            "%s was sent with other bytes: %s, then %s"
                .formatted(intent, first.request(), sending.request()));
      }
      String other = intentOf.putIfAbsent(sending.wireKey(), intent);
      if (other != null && !other.equals(intent)) {
        broken.add("%s and %s share the key %s".formatted(other, intent, sending.wireKey()));
      }
    }
    return broken;
  }
}
