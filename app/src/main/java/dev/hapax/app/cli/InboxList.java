package dev.hapax.app.cli;

/** A page of received events. */
abstract class InboxList extends ListVerb {
  @Override
  final Request request() {
    return Request.get("/api/inbox");
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
