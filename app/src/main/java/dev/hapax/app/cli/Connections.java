package dev.hapax.app.cli;

import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "connections",
    description = "Lists, shows and writes connections: outside systems by name.")
final class Connections extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(name = "list", description = "Lists the connections, by name.")
  static final class List extends ListVerb {
    @Override
    Request request() {
      return Request.get("/api/connections");
    }

    @Override
    Table table() {
      return new Table("CONNECTION", "WRITTEN", "BY", "SETTINGS");
    }

    @Override
    void row(Table table, Item connection) {
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
    Answer answer(Call call, Server server) {
      JsonNode found = server.ask(Request.get("/api/connections/{}", name)).json();
      return Answer.of(found, Words.plain(found.toPrettyString()));
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
        description = "Its settings: text, @FILE, or - for standard input.")
    String settings = "";

    @Override
    Answer answer(Call call, Server server) throws IOException {
      JsonNode written =
          server
              .ask(
                  Request.put("/api/connections/{}", name)
                      .json(Inputs.json(settings, call.surroundings())))
              .json();
      return Answer.of(written, "connection '%s' is written".formatted(name));
    }
  }

  @Command(name = "delete", description = "Deletes a connection.")
  static final class Delete extends ServerVerb {
    @Parameters(paramLabel = "NAME", description = "Name of the connection.")
    String name = "";

    @Override
    Answer answer(Call call, Server server) {
      server.ask(Request.delete("/api/connections/{}", name));
      return Answer.of(Map.of("name", name), "connection '%s' is deleted".formatted(name));
    }
  }
}
