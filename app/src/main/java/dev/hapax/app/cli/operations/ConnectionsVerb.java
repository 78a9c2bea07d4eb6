package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ListVerb;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "connections",
    description = "Lists, shows, writes and tests connections: external systems by name.")
public final class ConnectionsVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("new", NewConnectionVerb::new),
        new VerbEntry("presets", PresetsVerb::new),
        new VerbEntry("test", Test::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(name = "list", description = "Lists the connections, by name.")
  static final class List extends ListVerb {
    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/connections");
    }

    @Override
    protected Table table() {
      return new Table("CONNECTION", "WRITTEN", "BY", "SETTINGS");
    }

    @Override
    protected void row(Table table, Item connection) {
      table.row(
          connection.text("name"),
          connection.time("changedAt"),
          connection.text("changedBy"),
          connection.text("form"));
    }
  }

  @Command(name = "show", aliases = "get", description = "Shows a connection.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the connection.")
    String name = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/connections/{}", name)).json();
      return VerbAnswer.of(found, Words.plain(found.toPrettyString()));
    }
  }

  @Command(
      name = "put",
      description =
          "Writes a connection, for example '{\"http\": {\"base\": \"https://api.example.com\"}}'.")
  static final class Put extends ServerVerb {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the connection.")
    String name = "";

    @Parameters(
        index = "1",
        paramLabel = "JSON",
        description = "Settings: JSON, @FILE with JSON or YAML, or - for standard input.")
    String settings = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      JsonNode written =
          server
              .ask(
                  ServerRequest.put("/api/connections/{}", name)
                      .json(ConnectionText.json(settings, call.surroundings())))
              .json();
      return VerbAnswer.of(written, "wrote connection '%s'".formatted(name));
    }
  }

  @Command(
      name = "test",
      description = {
        "Tries a connection without any effect: resolves, connects, encrypts, authenticates.",
        "Exit code 1 if a stage fails."
      })
  static final class Test extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the connection.")
    String name = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode report = server.ask(ServerRequest.post("/api/connections/{}/test", name)).json();
      var lines = new StringBuilder();
      for (Item stage : new Item(report).items("stages")) {
        String outcome = Words.line(stage.text("outcome"));
        String gap = " ".repeat(Math.max(1, 9 - outcome.length()));
        lines.append(
            "%s%s%-13s %s%n"
                .formatted(
                    call.paint().status(outcome),
                    gap,
                    Words.line(stage.text("stage")),
                    Words.line(stage.text("detail"))));
        if (!stage.text("fix").isEmpty()) {
          lines.append("         -> %s%n".formatted(Words.line(stage.text("fix"))));
        }
      }
      boolean ok = report.path("ok").asBoolean(false);
      String result =
          ok
              ? "connection '%s' works%n".formatted(name)
              : "connection '%s' does not work%n".formatted(name);
      return VerbAnswer.of(report, lines + result).exit(ok ? Exit.DONE : Exit.RUN_FAILED);
    }
  }

  @Command(name = "delete", description = "Deletes a connection.")
  static final class Delete extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the connection.")
    String name = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      server.ask(ServerRequest.delete("/api/connections/{}", name));
      return VerbAnswer.of(Map.of("name", name), "deleted connection '%s'".formatted(name));
    }
  }
}
