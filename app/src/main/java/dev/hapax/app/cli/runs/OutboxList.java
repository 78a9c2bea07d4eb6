package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A page of published messages. */
abstract class OutboxList extends ListVerb {
  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "delivered, undelivered or dead; or the status of the run that delivers.")
  @Nullable String status;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      description = "Only messages to this destination; a * at the end means any rest.")
  @Nullable String destination;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Published at this time or later, in ISO-8601.")
  @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Published before this time, in ISO-8601.")
  @Nullable String until;

  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/outbox")
        .query("status", status)
        .query("destination", destination)
        .query("since", since)
        .query("until", until);
  }

  @Override
  protected final Table table() {
    return new Table("MESSAGE", "DESTINATION", "TYPE", "STATE", "PUBLISHED", "PROBLEM");
  }

  @Override
  protected final void row(Table table, Item message) {
    table.row(
        message.text("id"),
        message.text("destination"),
        message.text("type"),
        message.text("state"),
        message.time("publishedAt"),
        message.text("problem"));
  }
}
