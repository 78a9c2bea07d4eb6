package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.output.Item;
import java.util.List;
import java.util.stream.Collectors;

/** The quotas of a tenant as people read them: each with what is used of it. */
enum QuotaWords {
  RUNS_PER_DAY("runsPerDay", "runsToday"),
  RUNS_IN_MEMORY("runsInMemory", "runsInMemory"),
  STORE_BYTES("storeBytes", "storeBytes"),
  REQUESTS_PER_SECOND("requestsPerSecond", ""),
  STREAMS("streams", "streams"),
  CALLS_AT_ONCE("callsAtOnce", "callsAtOnce"),
  MODEL_COST_PER_DAY("modelCostPerDay", "");

  private final String quota;
  private final String use;

  QuotaWords(String quota, String use) {
    this.quota = quota;
    this.use = use;
  }

  String quota() {
    return quota;
  }

  /** Returns the limit of a tenant, or {@code none}. */
  String limit(Item tenant) {
    String limit = tenant.inner("quotas").text(quota);
    return limit.isEmpty() ? "none" : limit;
  }

  /** Returns what the tenant uses; empty if it is not counted. */
  String used(Item tenant) {
    return use.isEmpty() ? "" : tenant.inner("use").text(use);
  }

  /** Returns the quotas that are set, in one line. */
  static String line(Item tenant) {
    return List.of(values()).stream()
        .filter(one -> !one.limit(tenant).equals("none"))
        .map(
            one ->
                one.used(tenant).isEmpty()
                    ? "%s %s".formatted(one.quota, one.limit(tenant))
                    : "%s %s/%s".formatted(one.quota, one.used(tenant), one.limit(tenant)))
        .collect(Collectors.joining(", "));
  }
}
