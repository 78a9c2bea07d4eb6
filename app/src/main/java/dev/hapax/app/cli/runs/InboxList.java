package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of received events. */
abstract class InboxList extends ListVerb {
  @Option(
      names = "--source",
      paramLabel = "PATH",
      description = "Only events from this webhook or queue.")
  @Nullable String source;

  @Option(
      names = "--event",
      paramLabel = "ID",
      description = "Only events with this id, given by their source.")
  @Nullable String event;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description = "accepted, duplicate, stale, conflicting, invalid, rejected or review.")
  @Nullable String outcome;

  @Option(names = "--repeated", description = "Only events that came again.")
  boolean isRepeated;

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/inbox")
        .query("source", source)
        .query("event", event)
        .query("outcome", outcome)
        .query("repeated", isRepeated ? "true" : null);
  }

  @Override
  protected final Table table() {
    return new Table("EVENT", "SOURCE", "OUTCOME", "REPEATS", "RUN", "RECEIVED");
  }

  @Override
  protected final void row(Table table, Item event) {
    table.row(
        event.text("id"),
        event.text("source"),
        event.text("outcome"),
        event.text("redeliveries"),
        event.text("run"),
        event.time("receivedAt"));
  }
}
