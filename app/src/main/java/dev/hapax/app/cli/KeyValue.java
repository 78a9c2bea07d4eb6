package dev.hapax.app.cli;

import dev.hapax.json.Json;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "kv", description = "Reads and writes the durable map that runs share.")
final class KeyValue extends Group {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("get", Get::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(name = "list", description = "Lists entries by the beginning of their keys.")
  static final class List extends ListVerb {
    @Option(names = "--prefix", paramLabel = "TEXT", description = "How the keys begin.")
    @Nullable String prefix;

    @Override
    Request request() {
      return Request.get("/api/kv").query("prefix", prefix);
    }

    @Override
    Table table() {
      return new Table("KEY", "VERSION", "EXPIRES", "VALUE");
    }

    @Override
    void row(Table table, Item entry) {
      table.row(
          entry.text("key"), entry.text("version"), entry.time("expiresAt"), entry.text("value"));
    }
  }

  @Command(name = "get", description = "Shows an entry and its version.")
  static final class Get extends ServerVerb {
    @Parameters(paramLabel = "KEY", description = "Its key.")
    String key = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode entry = server.ask(Request.get("/api/kv/{+}", key)).json();
      return Answer.of(entry, Words.plain(new Item(entry).text("value")));
    }
  }

  @Command(name = "put", description = "Writes an entry.")
  static final class Put extends ServerVerb {
    @Parameters(index = "0", paramLabel = "KEY", description = "Its key.")
    String key = "";

    @Parameters(
        index = "1",
        paramLabel = "JSON",
        description = "Its value: text, @FILE, or - for standard input.")
    String value = "";

    @Option(
        names = "--ttl",
        paramLabel = "DURATION",
        description = "How long it lives, for example 10m.")
    @Nullable String ttl;

    @Option(
        names = "--version",
        paramLabel = "N",
        description = "Only if the entry still has this version; 0: only if there is none.")
    @Nullable Long version;

    @Override
    Answer answer(Call call, Server server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("value", Json.tree(Inputs.json(value, call.surroundings())));
      if (ttl != null) {
        body.put("ttl", ttl);
      }
      if (version != null) {
        body.put("version", version);
      }
      JsonNode written = server.ask(Request.put("/api/kv/{+}", key).json(body)).json();
      return Answer.of(
          written, "'%s' has version %s".formatted(key, new Item(written).text("version")));
    }
  }

  @Command(name = "delete", description = "Deletes an entry.")
  static final class Delete extends ServerVerb {
    @Parameters(paramLabel = "KEY", description = "Its key.")
    String key = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode deleted = server.ask(Request.delete("/api/kv/{+}", key)).json();
      return Answer.of(
          deleted,
          deleted.path("written").asBoolean(true)
              ? "'%s' is deleted".formatted(key)
              : "there was no '%s'".formatted(key));
    }
  }
}
