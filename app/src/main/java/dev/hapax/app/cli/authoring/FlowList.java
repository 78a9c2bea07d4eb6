package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;

/** A page of flows. */
abstract class FlowList extends ListVerb {
  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/flows");
  }

  @Override
  protected final Table table() {
    return new Table("FLOW", "LIVE", "NEWEST", "PROMOTED", "BY", "LABELS");
  }

  @Override
  protected final void row(Table table, Item flow) {
    table.row(
        flow.text("flow"),
        !flow.text("retiredAt").isEmpty()
            ? "retired"
            : flow.text("live").isEmpty() ? "none" : flow.text("live"),
        flow.text("newest"),
        flow.time("promotedAt"),
        flow.text("promotedBy"),
        String.join(", ", flow.words("labels")));
  }
}
