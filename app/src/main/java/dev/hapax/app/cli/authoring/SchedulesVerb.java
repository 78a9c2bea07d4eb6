package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "schedules",
    description = "Lists schedules and when each is due next; pauses, resumes and backfills them.")
public final class SchedulesVerb extends ScheduleList {
  @Override
  public Stream<VerbEntry> inner() {
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

    protected abstract ServerRequest request();

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(request()).json();
      var schedule = new Item(found);
      return VerbAnswer.of(
          found,
          new Sheet()
              .line("flow", schedule.text("flow"))
              .line("cron", schedule.text("cron"))
              .line("timezone", schedule.text("timezone"))
              .line("catch up", schedule.text("catchUp"))
              .line("overlap", schedule.text("overlap"))
              .line("paused", schedule.text("paused"))
              .line("next", String.join(", ", schedule.words("next")))
              .line("last", schedule.time("lastAt"))
              .line("missed", schedule.text("missed"))
              .line("skipped", schedule.text("skipped"))
              .line("waits for", schedule.text("waitsFor"))
              .line("note", schedule.text("note"))
              .text("schedule " + schedule.text("name"), call.paint()));
    }
  }

  @Command(name = "show", aliases = "get", description = "Shows a schedule.")
  static final class Show extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/schedules/{}", name);
    }
  }

  @Command(
      name = "pause",
      description = "Pauses a schedule: it starts no runs until it is resumed.")
  static final class Pause extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.post("/api/schedules/{}/pause", name).json("{}");
    }
  }

  @Command(name = "resume", description = "Resumes a schedule; it catches up as its flow says.")
  static final class Resume extends One {
    @Override
    protected ServerRequest request() {
      return ServerRequest.post("/api/schedules/{}/resume", name).json("{}");
    }
  }

  @Command(
      name = "backfill",
      description =
          "Starts the runs of a past period. An instant that already has its run gets no second one.")
  static final class Backfill extends One {
    @Option(
        names = "--from",
        paramLabel = "TIME",
        required = true,
        description = "First nominal instant, in ISO-8601.")
    String from = "";

    @Option(
        names = "--to",
        paramLabel = "TIME",
        required = true,
        description = "Last nominal instant, in ISO-8601.")
    String to = "";

    @Override
    protected ServerRequest request() {
      var range = new LinkedHashMap<String, Object>();
      range.put("from", from);
      range.put("to", to);
      return ServerRequest.post("/api/schedules/{}/backfill", name).json(range);
    }

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode done = server.ask(request()).json();
      return VerbAnswer.of(done, "started: " + new Item(done).text("started"));
    }
  }
}
