package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of runs. */
abstract class RunList extends ListVerb {
  @Option(names = "--flow", paramLabel = "FLOW", description = "Only runs of this flow.")
  @Nullable String flow;

  @Option(names = "--key", paramLabel = "KEY", description = "Only runs with this key.")
  @Nullable String key;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "queued, running, waiting, review, succeeded, partial, failed, canceling, canceled,"
              + " compensating or compensated, several with commas between them; or retrying: runs"
              + " with a step that is being retried.")
  @Nullable String status;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Created at this time or later, in ISO-8601.")
  @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Created before this time, in ISO-8601.")
  @Nullable String until;

  @Option(names = "--parent", paramLabel = "RUN", description = "Only children of this run.")
  @Nullable String parent;

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description = "Only runs whose key begins with this.")
  @Nullable String keyPrefix;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Only runs of flows that have this label now.")
  @Nullable String label;

  @Option(
      names = "--retryable",
      description = "Only failed runs that another try without a change may help.")
  boolean retryable;

  @Option(
      names = "--error",
      paramLabel = "CODE",
      description = "Only runs that failed with this code.")
  @Nullable String error;

  @Option(names = "--duplicates", description = "Only runs that have stopped a duplicate.")
  boolean duplicates;

  @Option(
      names = "--search",
      paramLabel = "NAME=VALUE",
      description = "Only runs whose searchable field has this value. Can be given several times.")
  Map<String, String> search = new LinkedHashMap<>();

  @Override
  protected final ServerRequest request() {
    ServerRequest request = filters();
    for (Map.Entry<String, String> field : search.entrySet()) {
      request = request.query("search." + field.getKey(), field.getValue());
    }
    return request;
  }

  private ServerRequest filters() {
    return ServerRequest.get("/api/runs")
        .query("flow", flow)
        .query("key", key)
        .query("status", status)
        .query("since", since)
        .query("until", until)
        .query("parent", parent)
        .query("keyPrefix", keyPrefix)
        .query("label", label)
        .query("retryable", retryable ? Boolean.TRUE : null)
        .query("error", error)
        .query("duplicates", duplicates ? Boolean.TRUE : null);
  }

  @Override
  protected final Table table() {
    return RunText.table();
  }

  @Override
  protected final void row(Table table, Item run) {
    RunText.row(table, run);
  }
}
