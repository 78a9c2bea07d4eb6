package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.DevAddress;
import dev.hapax.app.cli.connection.Target;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A verb that talks to the server of {@code hapax dev}. Unless an option names the server, it is
 * the one of this folder, or of a folder in it.
 */
abstract class DevServerVerb extends ServerVerb {
  @Override
  protected final Target target(Surroundings surroundings) {
    Path data = where().hasAddress() ? null : dataFolder(surroundings);
    if (data == null) {
      return Target.of(where(), surroundings);
    }
    try {
      return DevAddress.targetIn(data);
    } catch (IOException | NotSerializable e) {
      throw Refusal.of(
              Exit.NOT_FOUND,
              "token-not-found",
              "the server in '%s' cannot be found: %s".formatted(data, e.getMessage()))
          .hint("start it: hapax dev DIR");
    }
  }

  /** Returns null if there is no server of {@code hapax dev} here. */
  private @Nullable Path dataFolder(Surroundings surroundings) {
    Path given = where().dataFolder(surroundings);
    if (given != null) {
      return DevAddress.isIn(given) ? given : null;
    }
    Path here = DevAddress.dataOf(surroundings.folder());
    List<Path> found = DevAddress.isIn(here) ? List.of(here) : below(surroundings.folder());
    if (found.size() > 1) {
      throw Refusal.usage("several folders here have a server: " + found)
          .hint("name one of them: --data FOLDER");
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  private static List<Path> below(Path folder) {
    try (Stream<Path> folders = Files.list(folder)) {
      return folders.map(DevAddress::dataOf).filter(DevAddress::isIn).sorted().toList();
    } catch (IOException e) {
      return List.of(); // then there is none that could be used
    }
  }
}
