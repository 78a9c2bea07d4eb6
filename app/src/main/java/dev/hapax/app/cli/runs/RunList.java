package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
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
              + " compensating or compensated; or retrying: runs with a step that is being retried.")
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

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/runs")
        .query("flow", flow)
        .query("key", key)
        .query("status", status)
        .query("since", since)
        .query("until", until);
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
