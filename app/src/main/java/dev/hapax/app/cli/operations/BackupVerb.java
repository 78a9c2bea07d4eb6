package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.flow.StoreRefused;
import dev.hapax.store.OwnerOnly;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
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
      "Writes a complete, consistent copy of a server's SQLite store, while the server runs.",
      "The copy is DIR/backups/NAME on the server's machine. Never copy the database file of a"
          + " running server yourself.",
      "For a store in PostgreSQL, use the backup tools of PostgreSQL."
    })
public final class BackupVerb extends ServerVerb {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "Name of the backup; by default it contains the time.")
  @Nullable String name;

  @Option(
      names = "--offline",
      description =
          "For a server that is not running: open the store in its data folder (--data DIR). Needs"
              + " a NAME.")
  boolean offline;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    if (name != null && !NAME.matcher(name).matches()) {
      throw Refusal.usage(
          "NAME: expected letters, digits, '.', '_' and '-', got '%s'".formatted(name));
    }
    if (offline) {
      return copy(call.surroundings());
    }
    JsonNode made =
        server
            .ask(
                ServerRequest.post("/api/backups")
                    .json(name == null ? Map.of() : Map.of("name", name)))
            .json();
    return VerbAnswer.of(made, "wrote " + new Item(made).text("file"));
  }

  private VerbAnswer copy(Surroundings surroundings) throws IOException {
    Path data = where().dataFolder(surroundings);
    if (data == null || name == null) {
      throw Refusal.usage("--offline needs --data DIR and a NAME").hint("hapax backup --help");
    }
    Path store = data.resolve("hapax.db");
    if (!Files.exists(store)) {
      throw Refusal.of(
          Exit.NOT_FOUND, "store-not-found", "the store '%s' does not exist".formatted(store));
    }
    Path target = OwnerOnly.folder(store.resolveSibling("backups")).resolve(name);
    try (Store opened = open(store)) {
      opened.backup(target, Ports.system().clock().now());
    } catch (StoreRefused e) {
      throw Refusal.of(Exit.REFUSED, "store-refused", String.valueOf(e.getMessage()))
          .hint("if a server is running there, omit --offline");
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FileAlreadyExistsException) {
        throw Refusal.of(
                Exit.REFUSED, "exists", "a backup never replaces an existing file: " + target)
            .hint("choose another name");
      }
      throw e;
    }
    var made = new LinkedHashMap<String, Object>();
    made.put("file", target.toString());
    made.put("bytes", Files.size(target));
    return VerbAnswer.of(made, "wrote " + target);
  }

  private static Store open(Path store) {
    return StoreProvider.open(provider -> provider.open(store, Ports.system().threads()));
  }
}
