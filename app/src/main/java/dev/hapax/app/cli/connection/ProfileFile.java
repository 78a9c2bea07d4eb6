package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The user's profiles: {@code profiles.json} in the user's configuration folder. It holds tokens,
 * so only its owner may read it.
 */
public final class ProfileFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Path path;

  public ProfileFile(Surroundings surroundings) {
    this.path = surroundings.configFolder().resolve("profiles.json");
  }

  /**
   * The content of the file.
   *
   * @param current the one that is used if none is named
   */
  public record Content(@Nullable String current, TreeMap<String, Profile> profiles) {

    /** Returns the profile of this name; refuses a name that has none. */
    public Profile profile(String name) {
      Profile profile = profiles.get(name);
      if (profile == null) {
        throw Refusal.of(
                Exit.NOT_FOUND, "profile-not-found", "profile '%s' does not exist".formatted(name))
            .details(Map.of("profiles", profiles.keySet()))
            .hint("hapax profiles list");
      }
      return profile;
    }
  }

  public Path path() {
    return path;
  }

  public Content read() {
    try {
      String text = Files.readString(path);
      if (isReadByOthers()) {
        throw refusal("other users can read the file, and it holds tokens")
            .hint("chmod 600 '%s'".formatted(path));
      }
      return Json.read(text, Content.class);
    } catch (NoSuchFileException _) {
      return new Content(null, new TreeMap<>());
    } catch (NotSerializable | IOException e) {
      throw refusal(String.valueOf(e.getMessage())).hint("correct or delete the file");
    }
  }

  /** Replaces the file by a new one, so that no reader sees half of it. */
  public void write(Content content) throws IOException {
    Path folder = path.resolveSibling("");
    OwnerOnly.folder(folder);
    Path next =
        Files.createTempFile(
            folder, "profiles", ".json", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    try {
      Files.writeString(next, Json.write(content) + "\n");
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private boolean isReadByOthers() throws IOException {
    return !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path));
  }

  private Refusal refusal(String why) {
    return Refusal.of(
        Exit.REFUSED,
        "profiles-unusable",
        "cannot use the profiles in %s: %s".formatted(path, why));
  }
}
