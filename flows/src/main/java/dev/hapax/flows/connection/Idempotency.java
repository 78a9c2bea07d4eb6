package dev.hapax.flows.connection;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a destination removes duplicates by our key.
 *
 * @param header that carries the key; null if a field of the body does
 * @param window how long the key is remembered
 * @param storesFailures whether it stores and repeats its 5xx answers too: then sending again after
 *     one shows nothing new
 * @param replayHeader that marks a repeated answer; null if there is none
 * @param inFlight statuses that say that the first request is still being done
 * @param keyReused statuses that say that the key came with another request
 */
public record Idempotency(
    @Nullable String header,
    @Nullable String bodyField,
    Duration window,
    boolean storesFailures,
    @Nullable String replayHeader,
    Set<Integer> inFlight,
    Set<Integer> keyReused) {

  public static final Idempotency USUAL =
      new Idempotency(
          "Idempotency-Key", null, Duration.ofHours(24), true, null, Set.of(409), Set.of(422));

  /** What is known of providers, from their documentation. */
  private static final Map<String, Idempotency> PROVIDERS =
      Map.of(
          "stripe",
          new Idempotency(
              "Idempotency-Key",
              null,
              Duration.ofHours(24),
              true,
              "Idempotent-Replayed",
              Set.of(409),
              Set.of(400)),
          "adyen",
          new Idempotency(
              "Idempotency-Key", null, Duration.ofDays(7), false, null, Set.of(409), Set.of(422)),
          "square",
          new Idempotency(
              null, "idempotency_key", Duration.ofHours(24), false, null, Set.of(), Set.of(400)),
          "paypal",
          new Idempotency(
              "PayPal-Request-Id",
              null,
              Duration.ofHours(6),
              false,
              null,
              Set.of(409),
              Set.of(422)),
          "standard",
          USUAL);

  /** Throws IllegalArgumentException if the table does not have it. */
  public static Idempotency of(String provider) {
    Idempotency known = PROVIDERS.get(provider);
    if (known == null) {
      throw new IllegalArgumentException(
          "idempotency.provider: expected %s, got '%s'"
              .formatted(
                  String.join(" | ", PROVIDERS.keySet().stream().sorted().toList()), provider));
    }
    return known;
  }
}
