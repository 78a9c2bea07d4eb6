package dev.hapax.flows.check;

import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a connection says about keys, compared with the guards of a flow that uses it.
 *
 * @param takesKeys whether its destination removes duplicates by a key
 * @param window how long it remembers one
 */
public record KeyTerms(boolean takesKeys, Duration window) {
  static final String WITHOUT_KEYS = "keyed-without-keys";

  static KeyTerms of(Idempotency idempotency) {
    return new KeyTerms(idempotency.takesKeys(), idempotency.window());
  }

  /**
   * Reads the settings of a connection, as they are in its file.
   *
   * @return null if it is no HTTP service
   * @throws IllegalArgumentException for an unknown provider, or a window that is no duration
   */
  public static @Nullable KeyTerms of(Map<?, ?> settings) {
    if (!(settings.get(ConnectionKind.HTTP.word()) instanceof Map<?, ?> http)) {
      return null;
    }
    Map<?, ?> keys = http.get("idempotency") instanceof Map<?, ?> given ? given : Map.of();
    if (keys.get("provider") instanceof String provider) {
      return of(Idempotency.of(provider));
    }
    Object text = keys.get("window");
    Duration window =
        text == null ? Idempotency.USUAL.window() : Durations.parse(String.valueOf(text));
    if (window == null) {
      throw new IllegalArgumentException(
          "http.idempotency.window: expected a duration such as '24h', got '%s'".formatted(text));
    }
    return new KeyTerms(!"none".equals(keys.get("stores")), window);
  }

  /**
   * Returns the findings of a flow, in the order of the file.
   *
   * @param connections by name; null for those that are not known
   */
  public static List<Finding> compare(
      FlowFile file, Function<String, @Nullable KeyTerms> connections) {
    var findings = new ArrayList<Finding>();
    for (FlowStep step : file.allSteps()) {
      Finding found = compare(step, connections);
      if (found != null) {
        findings.add(found);
      }
    }
    return List.copyOf(findings);
  }

  static @Nullable Finding compare(
      FlowStep step, Function<String, @Nullable KeyTerms> connections) {
    EffectContract effect = step.effect();
    String name = step.kind().connections().findFirst().orElse(null);
    if (effect == null || name == null || !effect.guard().sendsKey()) {
      return null;
    }
    KeyTerms terms = connections.apply(name);
    if (terms == null || (!terms.takesKeys && effect.guard().keyHeader() != null)) {
      return null; // a guard with a header of its own knows better
    }
    if (!terms.takesKeys) {
      return new Finding(
          WITHOUT_KEYS,
          Level.ERROR,
          effect.guard().position(),
          "step '%s' has guard keyed, but connection '%s' says that its destination takes no keys, so nothing removes a duplicate"
              .formatted(step.id(), name),
          "Use guard lookup, upsert or none.");
    }
    Duration window = effect.guard().remembersFor(terms.window);
    Duration within = step.retryPolicy().within();
    return window == null || window.compareTo(within) >= 0
        ? null
        : new Finding(
            WindowShorterThanRetries.ID,
            Level.ERROR,
            effect.guard().position(),
            "step '%s' retries within %s, but connection '%s' says that the destination remembers a key for %s only"
                .formatted(step.id(), Durations.text(within), name, Durations.text(window)),
            "Retry for a shorter time: retry: {within: …}.");
  }
}
