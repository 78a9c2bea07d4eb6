package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.verb.ListVerb;

/** A page of schedules. */
abstract class ScheduleList extends ListVerb {
  @Override
  protected final ServerRequest request() {
    return ServerRequest.get("/api/schedules");
  }

  @Override
  protected final Table table() {
    return new Table("SCHEDULE", "FLOW", "CRON", "TIMEZONE", "NEXT", "LAST", "PAUSED", "NOTE");
  }

  @Override
  protected final void row(Table table, Item schedule) {
    table.row(
        schedule.text("name"),
        schedule.text("flow"),
        schedule.text("cron"),
        schedule.text("timezone"),
        schedule.words("next").stream().findFirst().orElse(""),
        schedule.time("lastAt"),
        schedule.text("paused"),
        schedule.text("note"));
  }
}
