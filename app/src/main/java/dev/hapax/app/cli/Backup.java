package dev.hapax.app.cli;

import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.store.StoreRefused;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "backup",
    description = {
      "Writes a whole and consistent copy of a server's SQLite store, while it runs.",
      "The copy is DIR/backups/NAME on the server's machine. Never copy the file of a running"
          + " server itself.",
      "A store in PostgreSQL is backed up with the means of PostgreSQL."
    })
final class Backup extends ServerVerb {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "What to call it; else it has the time in its name.")
  @Nullable String name;

  @Option(
      names = "--offline",
      description =
          "The server does not run: open the store of its data folder (--data DIR) here. Needs a"
              + " NAME.")
  boolean offline;

  @Override
  Answer answer(Call call, Server server) throws IOException {
    if (name != null && !NAME.matcher(name).matches()) {
      throw Refusal.usage(
          "NAME: expected letters, digits, '.', '_' and '-', got '%s'".formatted(name));
    }
    if (offline) {
      return copy(call.surroundings());
    }
    JsonNode made =
        server
            .ask(Request.post("/api/backups").json(name == null ? Map.of() : Map.of("name", name)))
            .json();
    return Answer.of(made, "wrote " + new Item(made).text("file"));
  }

  private Answer copy(Surroundings surroundings) throws IOException {
    String data = where().data != null ? where().data : surroundings.variable("HAPAX_DATA");
    if (data == null || name == null) {
      throw Refusal.usage("--offline needs --data DIR and a NAME").hint("hapax backup --help");
    }
    Path store = surroundings.path(data).resolve("hapax.db");
    if (!Files.exists(store)) {
      throw Refusal.of(
          Exit.NOT_FOUND, "store-not-found", "there is no store '%s'".formatted(store));
    }
    Path target = Files.createDirectories(store.resolveSibling("backups")).resolve(name);
    try (Store opened = open(store)) {
      opened.backup(target, Ports.system().clock().now());
    } catch (StoreRefused e) {
      throw Refusal.of(Exit.REFUSED, "store-refused", String.valueOf(e.getMessage()))
          .hint("if a server runs there, leave --offline out");
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FileAlreadyExistsException) {
        throw Refusal.of(Exit.REFUSED, "exists", "a backup never replaces a file: " + target)
            .hint("give it another name");
      }
      throw e;
    }
    var made = new LinkedHashMap<String, Object>();
    made.put("file", target.toString());
    made.put("bytes", Files.size(target));
    return Answer.of(made, "wrote " + target);
  }

  private static Store open(Path store) {
    return StoreProvider.open(provider -> provider.open(store, Ports.system().threads()));
  }
}
