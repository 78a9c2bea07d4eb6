package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;

/** A page of the audit log. */
abstract class AuditList extends ListVerb {
  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/audit");
  }

  @Override
  protected final Table table() {
    return new Table("LINE", "AT", "BY", "ACTION", "TARGET", "OUTCOME");
  }

  @Override
  protected final void row(Table table, Item line) {
    table.row(
        line.text("number"),
        line.time("at"),
        line.text("actor"),
        line.text("action"),
        line.text("target"),
        line.text("outcome"));
  }
}
