package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.store.OwnerOnly;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes copies of the whole store while the server runs. They stay on its machine, beside the
 * store: they hold all tenants, so no answer carries them.
 */
public final class Backups {
  /** The tenant whose admin runs the server. */
  private static final String OPERATOR = "default";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}");

  private final Hapax hapax;
  private final Path folder;
  private final Clock clock;

  /**
   * Backups into a folder.
   *
   * @param hapax as it was opened
   */
  public Backups(Hapax hapax, Path folder, Clock clock) {
    this.hapax = hapax;
    this.folder = folder;
    this.clock = clock;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/backups",
                TokenScope.ADMIN,
                "Back up the whole store to a file on the server's machine",
                this::make)
            .takes(BackupBody.class)
            .gives(201, Made.class));
  }

  private record BackupBody(@Nullable String name) {}

  private record Made(String file, long bytes) {}

  private RouteAnswer make(Call call) throws IOException {
    if (!call.actor().tenant().equals(OPERATOR)) {
      throw Problem.forbidden(
          "the store holds all tenants: only an admin of tenant '%s' may copy it"
              .formatted(OPERATOR));
    }
    String given = call.jsonOrEmpty(BackupBody.class).name();
    String name = given == null ? nameByTime() : given;
    if (!NAME.matcher(name).matches()) {
      throw Problem.invalidInput(
          "name: expected letters, digits, '.', '_' and '-', got '%s'".formatted(name));
    }
    Path target = OwnerOnly.folder(folder).resolve(name);
    try {
      hapax.backup(target);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof FileAlreadyExistsException) {
        throw Problem.notPossible(
            "backup '%s' exists already, and a backup is never replaced: choose another name"
                .formatted(name));
      }
      throw e;
    } catch (UnsupportedOperationException e) {
      throw Problem.notPossible(String.valueOf(e.getMessage()));
    }
    return RouteAnswer.of(201, new Made(target.toString(), Files.size(target)));
  }

  private String nameByTime() {
    return "hapax-%s.db".formatted(clock.now().truncatedTo(ChronoUnit.MILLIS)).replace(":", "-");
  }
}
