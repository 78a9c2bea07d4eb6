package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "schedules",
    description = "Lists schedules and when each is due next; pauses, resumes and backfills them.")
final class Schedules extends ScheduleList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("pause", Pause::new),
        new VerbEntry("resume", Resume::new),
        new VerbEntry("backfill", Backfill::new));
  }

  @Command(name = "list", description = "Lists schedules, by name.")
  static final class List extends ScheduleList {}

  /** Something about one schedule. */
  abstract static class One extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the schedule.")
    String name = "";

    abstract Request request();

    @Override
    Answer answer(Call call, Server server) {
      JsonNode found = server.ask(request()).json();
      var schedule = new Item(found);
      return Answer.of(
          found,
          new Sheet()
              .line("flow", schedule.text("flow"))
              .line("cron", schedule.text("cron"))
              .line("timezone", schedule.text("timezone"))
              .line("catch up", schedule.text("catchUp"))
              .line("paused", schedule.text("paused"))
              .line("next", String.join(", ", schedule.words("next")))
              .line("last", schedule.time("lastAt"))
              .line("missed", schedule.text("missed"))
              .line("note", schedule.text("note"))
              .text("schedule " + schedule.text("name"), call.paint()));
    }
  }

  @Command(name = "show", aliases = "get", description = "Shows a schedule.")
  static final class Show extends One {
    @Override
    Request request() {
      return Request.get("/api/schedules/{}", name);
    }
  }

  @Command(name = "pause", description = "Starts nothing until it is resumed.")
  static final class Pause extends One {
    @Override
    Request request() {
      return Request.post("/api/schedules/{}/pause", name).json("{}");
    }
  }

  @Command(name = "resume", description = "Goes on, and catches up as the flow says.")
  static final class Resume extends One {
    @Override
    Request request() {
      return Request.post("/api/schedules/{}/resume", name).json("{}");
    }
  }

  @Command(
      name = "backfill",
      description =
          "Starts the runs of a time that has passed. An instant that had its run has it already.")
  static final class Backfill extends One {
    @Option(
        names = "--from",
        paramLabel = "TIME",
        required = true,
        description = "The first nominal instant, in ISO-8601.")
    String from = "";

    @Option(names = "--to", paramLabel = "TIME", required = true, description = "The last one.")
    String to = "";

    @Override
    Request request() {
      var range = new LinkedHashMap<String, Object>();
      range.put("from", from);
      range.put("to", to);
      return Request.post("/api/schedules/{}/backfill", name).json(range);
    }

    @Override
    Answer answer(Call call, Server server) {
      JsonNode done = server.ask(request()).json();
      return Answer.of(done, "started: " + new Item(done).text("started"));
    }
  }
}
