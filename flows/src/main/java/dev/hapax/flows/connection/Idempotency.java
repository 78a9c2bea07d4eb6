package dev.hapax.flows.connection;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a destination removes duplicates by our key. Sending again settles a doubt only within these
 * terms.
 *
 * @param header that carries the key; null if a field of the body does, or if there are no keys
 * @param bodyField that carries the key; {@code /a/b} is a member of an inner mapping
 * @param window how long the key is remembered
 * @param stores which of its answers it repeats
 * @param replayHeader that marks a repeated answer; null if there is none
 * @param inFlight statuses that mean that the first request is still in progress
 * @param keyReused statuses that only mean that the key came with another request
 * @param refusals statuses of refusals that it stores under the key and repeats
 */
public record Idempotency(
    @Nullable String header,
    @Nullable String bodyField,
    Duration window,
    Stores stores,
    @Nullable String replayHeader,
    Set<Integer> inFlight,
    Set<Integer> keyReused,
    Set<Integer> refusals) {

  /** They depend on the moment or the credential, and never speak for an earlier request. */
  private static final Set<Integer> NEVER_STORED = Set.of(401, 403, 404, 407, 408, 409, 425, 429);

  /** Which answers a destination keeps under a key. */
  public enum Stores {
    /** Also a 5xx: it is repeated forever, and says nothing new. */
    ALL,
    /** Only successes: after a 5xx the request may be applied a second time. */
    SUCCESS,
    /** Nothing: the destination takes no keys. */
    NONE
  }

  public Idempotency {
    boolean hasNoPlace = header == null && bodyField == null;
    if (stores == Stores.NONE ? !hasNoPlace : (header == null) == (bodyField == null)) {
      throw new IllegalArgumentException("idempotency: expected one of header and bodyField");
    }
    inFlight = Set.copyOf(inFlight);
    keyReused = Set.copyOf(keyReused);
    refusals = Set.copyOf(refusals);
    for (int status : refusals) {
      if (!mayBeStored(status)) {
        throw new IllegalArgumentException(
            "idempotency.refusals: expected statuses 400 to 499 but %s, which never settle a doubt; got %d"
                .formatted(
                    NEVER_STORED.stream().sorted().map(String::valueOf).collect(joining(", ")),
                    status));
      }
    }
  }

  private static boolean mayBeStored(int status) {
    return status >= 400 && status < 500 && !NEVER_STORED.contains(status);
  }

  /**
   * Returns whether a refusal is the stored answer to every request with the key.
   *
   * @param isReplayed whether the answer carries the replay header
   */
  public boolean isStoredRefusal(int status, boolean isReplayed) {
    return mayBeStored(status) && (isReplayed || refusals.contains(status));
  }

  /** The key in this header, kept for 24 hours with every answer. */
  public static Idempotency header(String name) {
    return new Idempotency(
        name, null, Duration.ofHours(24), Stores.ALL, null, Set.of(), Set.of(), Set.of());
  }

  /** The key in this field of the body, kept for 24 hours with every answer. */
  public static Idempotency bodyField(String name) {
    return new Idempotency(
        null, name, Duration.ofHours(24), Stores.ALL, null, Set.of(), Set.of(), Set.of());
  }

  public Idempotency window(Duration time) {
    return new Idempotency(
        header, bodyField, time, stores, replayHeader, inFlight, keyReused, refusals);
  }

  public Idempotency stores(Stores which) {
    return new Idempotency(
        header, bodyField, window, which, replayHeader, inFlight, keyReused, refusals);
  }

  public Idempotency replayHeader(String name) {
    return new Idempotency(header, bodyField, window, stores, name, inFlight, keyReused, refusals);
  }

  public Idempotency inFlight(Integer... statuses) {
    return new Idempotency(
        header, bodyField, window, stores, replayHeader, Set.of(statuses), keyReused, refusals);
  }

  public Idempotency keyReused(Integer... statuses) {
    return new Idempotency(
        header, bodyField, window, stores, replayHeader, inFlight, Set.of(statuses), refusals);
  }

  public Idempotency refusals(Integer... statuses) {
    return new Idempotency(
        header, bodyField, window, stores, replayHeader, inFlight, keyReused, Set.of(statuses));
  }

  /** A destination that takes no keys. */
  public static final Idempotency NONE =
      new Idempotency(
          null, null, Duration.ofHours(24), Stores.NONE, null, Set.of(), Set.of(), Set.of());

  /** Returns whether the destination removes duplicates by a key at all. */
  public boolean takesKeys() {
    return stores != Stores.NONE;
  }

  /** The default for a destination without settings. */
  public static final Idempotency USUAL = header("Idempotency-Key");

  private static final Map<String, Idempotency> PROVIDERS = providers();

  /**
   * The documented behavior of providers. If the documentation is silent about a 5xx, we assume
   * that none is kept; if it gives two windows, we use the shorter one. A status that also means
   * other things does not count as a reused key.
   */
  private static Map<String, Idempotency> providers() {
    Idempotency success = USUAL.stores(Stores.SUCCESS);
    var all = new LinkedHashMap<String, Idempotency>();
    all.put("standard", USUAL.inFlight(409).keyReused(422)); // the IETF draft
    all.put("stripe", USUAL.replayHeader("Idempotent-Replayed").inFlight(409));
    all.put("adyen", success.window(Duration.ofDays(7)).inFlight(409));
    all.put("amazon-pay", named("x-amz-pay-idempotency-key").window(Duration.ofDays(365)));
    all.put("checkbook", success);
    all.put("checkout", named("Cko-Idempotency-Key"));
    all.put("emailit", success);
    all.put("fullstory", success);
    all.put("paypal", named("PayPal-Request-Id").window(Duration.ofHours(6)).inFlight(409));
    all.put("picpay", success.inFlight(208));
    all.put(
        "ppro", named("Request-Idempotency-Key").replayHeader("Request-Idempotency").inFlight(409));
    all.put("qonto", named("X-Qonto-Idempotency-Key").window(Duration.ofMinutes(30)));
    all.put("resend", success);
    all.put("square", bodyField("idempotency_key").stores(Stores.SUCCESS));
    all.put("truelayer", success.window(Duration.ofHours(6)).inFlight(409).keyReused(422));
    all.put("whop", success);
    all.put("worldline", named("X-GCS-Idempotence-Key").inFlight(409));
    return Map.copyOf(all);
  }

  private static Idempotency named(String header) {
    return header(header).stores(Stores.SUCCESS);
  }

  /** Throws IllegalArgumentException if the table does not have the provider. */
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
