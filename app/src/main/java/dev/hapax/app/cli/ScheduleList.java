package dev.hapax.app.cli;

/** A page of schedules. */
abstract class ScheduleList extends ListVerb {
  @Override
  final Request request() {
    return Request.get("/api/schedules");
  }

  @Override
  final Table table() {
    return new Table("SCHEDULE", "FLOW", "CRON", "TIMEZONE", "NEXT", "LAST", "PAUSED", "NOTE");
  }

  @Override
  final void row(Table table, Item schedule) {
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
