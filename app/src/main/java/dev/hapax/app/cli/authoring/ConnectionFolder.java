package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.flows.check.KeyTerms;
import dev.hapax.flows.preset.Presets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A folder of connections as files, as 'hapax connections new' writes them. */
final class ConnectionFolder {
  private final String folder;
  private final Surroundings surroundings;

  ConnectionFolder(String folder, Surroundings surroundings) {
    this.folder = folder;
    this.surroundings = surroundings;
    if (!Files.isDirectory(surroundings.path(folder))) {
      throw Refusal.of(
          Exit.NOT_FOUND, "file-not-found", "there is no folder '%s'".formatted(folder));
    }
  }

  /** Returns null for a connection that has no file: the server may know it. */
  @Nullable KeyTerms keysOf(String connection) {
    if (!connection.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
      return null; // no name of a connection, and maybe a way out of the folder
    }
    for (String end : List.of(".yaml", ".yml", ".json")) {
      String file = Path.of(folder).resolve(connection + end).toString();
      if (Files.isRegularFile(surroundings.path(file))) {
        return read(file);
      }
    }
    return null;
  }

  private @Nullable KeyTerms read(String file) {
    Map<?, ?> settings;
    try {
      settings = Presets.mapping(file, Inputs.text(file, surroundings));
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      return KeyTerms.of(settings);
    } catch (IllegalArgumentException e) {
      throw invalid("%s: %s".formatted(file, e.getMessage()));
    }
  }

  private static Refusal invalid(String message) {
    return Refusal.of(Exit.REFUSED, "invalid-file", message)
        .hint("'hapax connections new PRESET --out FILE' writes a file to start from");
  }
}
