package dev.hapax.app.cli;

/** A page of the audit log. */
abstract class AuditList extends ListVerb {
  @Override
  final Request request() {
    return Request.get("/api/audit");
  }

  @Override
  final Table table() {
    return new Table("LINE", "AT", "BY", "ACTION", "TARGET", "OUTCOME");
  }

  @Override
  final void row(Table table, Item line) {
    table.row(
        line.text("number"),
        line.time("at"),
        line.text("actor"),
        line.text("action"),
        line.text("target"),
        line.text("outcome"));
  }
}
