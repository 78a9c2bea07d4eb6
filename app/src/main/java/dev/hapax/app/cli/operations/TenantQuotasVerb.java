package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "quotas",
    description = "Shows the quotas of a tenant, and sets those that are given; 0 means no limit.")
final class TenantQuotasVerb extends ServerVerb {
  @Parameters(paramLabel = "TENANT", description = "Name of the tenant.")
  String tenant = "";

  @Option(
      names = "--runs-per-day",
      paramLabel = "N",
      description = "New runs of a day in UTC; more get 429.")
  @Nullable Long runsPerDay;

  @Option(
      names = "--runs-in-memory",
      paramLabel = "N",
      description = "Runs in memory of each node; further ones wait.")
  @Nullable Long runsInMemory;

  @Option(
      names = "--store-bytes",
      paramLabel = "N",
      description = "Approximate bytes in the store; above it, new runs get 429.")
  @Nullable Long storeBytes;

  @Option(
      names = "--requests-per-second",
      paramLabel = "N",
      description = "Requests and deliveries, on each node; more get 429.")
  @Nullable Long requestsPerSecond;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description = "Streams of events at once, on each node; more get 429.")
  @Nullable Long streams;

  @Option(
      names = "--calls-at-once",
      paramLabel = "N",
      description = "Calls to destinations at once, on each node; further ones wait.")
  @Nullable Long callsAtOnce;

  @Option(
      names = "--model-cost-per-day",
      paramLabel = "N",
      description = "What calls of language models may cost on a day in UTC; more fail.")
  @Nullable Long modelCostPerDay;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode present = server.ask(ServerRequest.get("/api/tenants/{}/quotas", tenant)).json();
    Map<QuotaWords, Long> given = given();
    JsonNode now =
        given.isEmpty()
            ? present
            : server
                .ask(
                    ServerRequest.put("/api/tenants/{}/quotas", tenant)
                        .json(changed(present, given)))
                .json();
    Table table = new Table("QUOTA", "LIMIT", "IN USE");
    var item = new Item(now);
    for (QuotaWords quota : QuotaWords.values()) {
      table.row(quota.quota(), quota.limit(item), quota.used(item));
    }
    return VerbAnswer.of(now, table.text(call.paint(), "none"));
  }

  private Map<QuotaWords, Long> given() {
    var given = new EnumMap<QuotaWords, Long>(QuotaWords.class);
    put(given, QuotaWords.RUNS_PER_DAY, runsPerDay);
    put(given, QuotaWords.RUNS_IN_MEMORY, runsInMemory);
    put(given, QuotaWords.STORE_BYTES, storeBytes);
    put(given, QuotaWords.REQUESTS_PER_SECOND, requestsPerSecond);
    put(given, QuotaWords.STREAMS, streams);
    put(given, QuotaWords.CALLS_AT_ONCE, callsAtOnce);
    put(given, QuotaWords.MODEL_COST_PER_DAY, modelCostPerDay);
    return given;
  }

  private static void put(Map<QuotaWords, Long> given, QuotaWords quota, @Nullable Long limit) {
    if (limit != null) {
      given.put(quota, limit);
    }
  }

  /** What is not given stays as it is. */
  private static Map<String, Long> changed(JsonNode present, Map<QuotaWords, Long> given) {
    var body = new LinkedHashMap<String, Long>();
    for (QuotaWords quota : QuotaWords.values()) {
      Long limit = given.get(quota);
      long wanted = limit != null ? limit : present.path("quotas").path(quota.quota()).asLong(0);
      if (wanted != 0) {
        body.put(quota.quota(), wanted);
      }
    }
    return body;
  }
}
