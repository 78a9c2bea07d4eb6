package dev.hapax.app.cli;

/** A page of flows. */
abstract class FlowList extends ListVerb {
  @Override
  final Request request() {
    return Request.get("/api/flows");
  }

  @Override
  final Table table() {
    return new Table("FLOW", "LIVE", "NEWEST", "PROMOTED", "BY");
  }

  @Override
  final void row(Table table, Item flow) {
    table.row(
        flow.text("flow"),
        flow.text("live").isEmpty() ? "none" : flow.text("live"),
        flow.text("newest"),
        flow.time("promotedAt"),
        flow.text("promotedBy"));
  }
}
