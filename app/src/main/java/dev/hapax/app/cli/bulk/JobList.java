package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;

/** A page of jobs. */
abstract class JobList extends ListVerb {
  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/jobs");
  }

  @Override
  protected final Table table() {
    return JobText.table();
  }

  @Override
  protected final void row(Table table, Item job) {
    JobText.row(table, job);
  }
}
