package dev.hapax.app.cli;

import tools.jackson.databind.JsonNode;

/** All schedules; there is one page of them. */
abstract class ScheduleList extends ServerVerb {
  @Override
  final Answer answer(Call call, Server server) {
    JsonNode page = server.ask(Request.get("/api/schedules")).json();
    var table = new Table("SCHEDULE", "FLOW", "CRON", "TIMEZONE", "NEXT", "LAST", "PAUSED", "NOTE");
    for (Item schedule : new Item(page).items("items")) {
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
    return Answer.of(page, table.text(call.paint(), "none"));
  }
}
