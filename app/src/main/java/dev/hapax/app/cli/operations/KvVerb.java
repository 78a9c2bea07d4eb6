package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ListVerb;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "kv", description = "Reads and writes the durable map that runs share.")
public final class KvVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("get", Get::new),
        new VerbEntry("put", Put::new),
        new VerbEntry("delete", Delete::new));
  }

  @Command(name = "list", description = "Lists entries, by key.")
  static final class List extends ListVerb {
    @Option(names = "--prefix", paramLabel = "TEXT", description = "Only keys with this prefix.")
    @Nullable String prefix;

    @Override
    protected ServerRequest request() {
      return ServerRequest.get("/api/kv").query("prefix", prefix);
    }

    @Override
    protected Table table() {
      return new Table("KEY", "VERSION", "EXPIRES", "VALUE");
    }

    @Override
    protected void row(Table table, Item entry) {
      table.row(
          entry.text("key"), entry.text("version"), entry.time("expiresAt"), entry.text("value"));
    }
  }

  @Command(name = "get", description = "Shows an entry and its version.")
  static final class Get extends ServerVerb {
    @Parameters(paramLabel = "KEY", description = "Key of the entry.")
    String key = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode entry = server.ask(ServerRequest.get("/api/kv/{+}", key)).json();
      return VerbAnswer.of(entry, Words.plain(new Item(entry).text("value")));
    }
  }

  @Command(name = "put", description = "Writes an entry.")
  static final class Put extends ServerVerb {
    @Parameters(index = "0", paramLabel = "KEY", description = "Key of the entry.")
    String key = "";

    @Parameters(
        index = "1",
        paramLabel = "JSON",
        description = "Value: text, @FILE, or - for standard input.")
    String value = "";

    @Option(
        names = "--ttl",
        paramLabel = "DURATION",
        description = "Lifetime of the entry, for example 10m.")
    @Nullable String ttl;

    @Option(
        names = "--version",
        paramLabel = "N",
        description =
            "Write only if the entry still has this version; 0: only if there is no entry.")
    @Nullable Long version;

    @Option(
        names = "--from",
        paramLabel = "JSON",
        description =
            "Write only if the entry has this value; may be repeated. null: if there is no entry.")
    String[] from = {};

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      var body = new LinkedHashMap<String, Object>();
      body.put("value", Json.tree(Inputs.json(value, call.surroundings())));
      if (ttl != null) {
        body.put("ttl", ttl);
      }
      if (version != null) {
        body.put("version", version);
      }
      if (from.length > 0) {
        var values = new ArrayList<JsonNode>();
        for (String one : from) {
          values.add(Json.tree(Inputs.json(one, call.surroundings())));
        }
        body.put("from", values);
      }
      JsonNode written = server.ask(ServerRequest.put("/api/kv/{+}", key).json(body)).json();
      return VerbAnswer.of(
          written, "'%s' has version %s".formatted(key, new Item(written).text("version")));
    }
  }

  @Command(name = "delete", description = "Deletes an entry.")
  static final class Delete extends ServerVerb {
    @Parameters(paramLabel = "KEY", description = "Key of the entry.")
    String key = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode deleted = server.ask(ServerRequest.delete("/api/kv/{+}", key)).json();
      return VerbAnswer.of(
          deleted,
          deleted.path("written").asBoolean(true)
              ? "deleted '%s'".formatted(key)
              : "there was no '%s'".formatted(key));
    }
  }
}
