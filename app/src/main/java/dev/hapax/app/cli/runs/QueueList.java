package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;

/** A page of queues. */
abstract class QueueList extends ListVerb {
  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/queues");
  }

  @Override
  protected final Table table() {
    return new Table(
        "QUEUE", "FLOW", "READS", "STATUS", "RECEIVED", "RATE", "LAG", "LAST", "PROBLEM");
  }

  @Override
  protected final void row(Table table, Item queue) {
    table.row(
        queue.text("name"),
        queue.text("flow"),
        queue.text("connection") + "/" + queue.text("queue"),
        queue.text("status"),
        queue.text("received"),
        QueuesVerb.rate(queue),
        queue.text("lag"),
        queue.time("lastAt"),
        queue.text("problem"));
  }
}
