package dev.hapax.app.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of received events. */
abstract class InboxList extends ListVerb {
  @Option(names = "--source", paramLabel = "PATH", description = "From this webhook or queue.")
  @Nullable String source;

  @Option(names = "--event", paramLabel = "ID", description = "With this id of its source.")
  @Nullable String event;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "accepted, duplicate, stale, conflicting, invalid or rejected.")
  @Nullable String outcome;

  @Override
  final Request request() {
    return Request.get("/api/inbox")
        .query("source", source)
        .query("event", event)
        .query("outcome", outcome);
  }

  @Override
  final Table table() {
    return new Table("EVENT", "SOURCE", "OUTCOME", "RUN", "RECEIVED");
  }

  @Override
  final void row(Table table, Item event) {
    table.row(
        event.text("id"),
        event.text("source"),
        event.text("outcome"),
        event.text("run"),
        event.time("receivedAt"));
  }
}
