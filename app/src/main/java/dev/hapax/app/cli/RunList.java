package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of runs. */
abstract class RunList extends ListVerb {
  @Option(names = "--flow", paramLabel = "FLOW", description = "Of this flow.")
  @Nullable String flow;

  @Option(names = "--key", paramLabel = "KEY", description = "With this key.")
  @Nullable String key;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description =
          "queued, running, waiting, review, succeeded, partial, failed, canceling, canceled,"
              + " compensating or compensated; or retrying: something is tried again.")
  @Nullable String status;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Created at this time or later, in ISO-8601.")
  @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Created before this time.")
  @Nullable String until;

  @Override
  final Request request() {
    return Request.get("/api/runs")
        .query("flow", flow)
        .query("key", key)
        .query("status", status)
        .query("since", since)
        .query("until", until);
  }

  @Override
  final Table table() {
    return RunText.table();
  }

  @Override
  final void row(Table table, Item run) {
    RunText.row(table, run);
  }
}
