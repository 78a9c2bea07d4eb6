package dev.hapax.testkit;

import dev.hapax.Hapax;
import dev.hapax.Settlement;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotPossible;
import dev.hapax.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Settles reviews like a person who looks at the destination. */
final class ProofPerson {
  private static final int MOST_PER_EFFECT = 10;

  private final Map<String, String> known;
  private final Map<String, String> externalIds = new HashMap<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private int times;

  /**
   * @param known external ids by the key on the wire, as the undisturbed run got them
   */
  ProofPerson(Map<String, String> known) {
    this.known = known;
  }

  /**
   * Settles everything that is in review; returns whether there was something.
   *
   * @param found the result at the destination, by the key on the wire; null if it is not there
   */
  boolean settle(Hapax hapax, Function<String, @Nullable String> found) {
    List<EffectRecord> open =
        hapax.effects(hapax.effects().state(EffectState.REVIEW).limit(Integer.MAX_VALUE));
    for (EffectRecord effect : open) {
      times++;
      if (asked.merge(effect.id(), 1, Integer::sum) > MOST_PER_EFFECT) {
        throw new AssertionError(
            "a person is asked again and again about effect '%s' with key '%s': %s"
                .formatted(effect.key().name(), effect.key().key(), effect.evidence()));
      }
      try {
        hapax.settle(effect.id(), settlement(effect, found));
      } catch (NotPossible e) {
        // its own answer came late and settled it
      }
    }
    return !open.isEmpty();
  }

  private Settlement settlement(EffectRecord effect, Function<String, @Nullable String> found) {
    String answer = found.apply(effect.wireKey());
    if (answer == null) {
      return Settlement.notHappened("it is not there", "proof");
    }
    Settlement happened =
        Settlement.happened(Json.read(answer, Object.class), "it is there", "proof");
    String id = known.get(effect.wireKey());
    return id != null && answer.contains(id) ? happened.externalId(id) : happened;
  }

  /** Keeps the external ids of this run. */
  void remember(Hapax hapax) {
    for (EffectRecord effect : hapax.effects(hapax.effects().limit(Integer.MAX_VALUE))) {
      String id = effect.externalId();
      if (id != null) {
        externalIds.put(effect.wireKey(), id);
      }
    }
  }

  Map<String, String> externalIds() {
    return Map.copyOf(externalIds);
  }

  /** Returns how often the person was asked. */
  int times() {
    return times;
  }
}
