package dev.hapax.app.access;

import dev.hapax.app.http.Problem;
import org.jspecify.annotations.Nullable;

/**
 * How much a tenant may use; null where it has no limit of its own.
 *
 * @param runsPerDay new runs of a day in UTC, on all nodes together; more get 429
 * @param runsInMemory on each node; further runs are accepted and wait
 * @param storeBytes approximate size of what it keeps; a tenant above it starts no new run
 * @param requestsPerSecond of all its tokens and webhooks, on each node; more get 429
 * @param streams of events that its callers read at once, on each node; more get 429
 * @param callsAtOnce effects and reads under way, on each node; further ones wait
 * @param modelCostPerDay what its calls of language models may cost on a day in UTC, on all nodes
 *     together, in the currency of the prices; further ones fail
 */
public record TenantQuotas(
    @Nullable Long runsPerDay,
    @Nullable Integer runsInMemory,
    @Nullable Long storeBytes,
    @Nullable Integer requestsPerSecond,
    @Nullable Integer streams,
    @Nullable Integer callsAtOnce,
    @Nullable Long modelCostPerDay) {
  static final TenantQuotas NONE = new TenantQuotas(null, null, null, null, null, null, null);

  private static final long MOST = 1_000_000;
  private static final long MOST_RUNS = 1_000_000_000;
  private static final long LEAST_BYTES = 1_000;
  private static final long MOST_BYTES = 1_000_000_000_000_000L;

  /** Refuses numbers that no tenant could work with. */
  TenantQuotas checked() {
    check("runsPerDay", runsPerDay, 1, MOST_RUNS);
    check("runsInMemory", runsInMemory == null ? null : (Long) runsInMemory.longValue(), 1, MOST);
    check("storeBytes", storeBytes, LEAST_BYTES, MOST_BYTES);
    check(
        "requestsPerSecond",
        requestsPerSecond == null ? null : (Long) requestsPerSecond.longValue(),
        1,
        MOST);
    check("streams", streams == null ? null : (Long) streams.longValue(), 1, MOST);
    check("callsAtOnce", callsAtOnce == null ? null : (Long) callsAtOnce.longValue(), 1, MOST);
    check("modelCostPerDay", modelCostPerDay, 1, MOST_RUNS);
    return this;
  }

  private static void check(String name, @Nullable Long limit, long least, long most) {
    if (limit != null && (limit < least || limit > most)) {
      throw Problem.invalidInput(
          "%s: expected %,d to %,d, or null for no limit, got %d. To stop a tenant, suspend it"
              .formatted(name, least, most, limit));
    }
  }
}
