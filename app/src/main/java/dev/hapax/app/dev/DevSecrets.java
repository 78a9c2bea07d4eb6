package dev.hapax.app.dev;

import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.time.RandomSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes up the secrets that connections and webhooks name and that are not set. They are worth
 * nothing: no other server has them. The list of those that were made up is beside the store, so
 * that a developer can be shown the secret of a webhook again. Used by one thread.
 */
final class DevSecrets {
  private static final int WORDS = 4;

  private final DevDoor door;
  private final RandomSource random;
  private final Path file;
  private final Map<String, Invented> madeUp;

  /**
   * A secret that was made up.
   *
   * @param revision that this wrote; another one is the developer's own
   */
  record Invented(String value, long revision, List<String> hosts) {}

  private record InventedList(Map<String, Invented> secrets) {}

  private DevSecrets(DevDoor door, RandomSource random, Path file, Map<String, Invented> madeUp) {
    this.door = door;
    this.random = random;
    this.file = file;
    this.madeUp = madeUp;
  }

  static DevSecrets open(DevDoor door, RandomSource random, Path file) throws IOException {
    try {
      InventedList kept = Json.read(Files.readString(file), InventedList.class);
      return new DevSecrets(door, random, file, new TreeMap<>(kept.secrets()));
    } catch (NoSuchFileException e) {
      return new DevSecrets(door, random, file, new TreeMap<>());
    } catch (NotSerializable e) {
      throw new IOException(file + " cannot be read. Start with --fresh, or remove the file", e);
    }
  }

  /**
   * Makes up what is missing, and lets made-up secrets go where connections now lead.
   *
   * @param wanted the names, each with the hosts of the connections that use it
   */
  void provide(Map<String, Set<String>> wanted) {
    Map<String, Long> there = door.secrets();
    madeUp.keySet().removeIf(name -> there.containsKey(name) && ownOf(name, there) == null);
    wanted.forEach(
        (name, hosts) -> {
          Invented own = ownOf(name, there);
          boolean isMissing = !there.containsKey(name);
          if (isMissing || (own != null && !own.hosts().equals(List.copyOf(hosts)))) {
            String value = own == null ? fresh() : own.value();
            door.putSecret(name, value, hosts);
            madeUp.put(
                name, new Invented(value, there.getOrDefault(name, 0L) + 1, List.copyOf(hosts)));
          }
        });
    keep();
  }

  /** Returns a secret that was made up; null if the developer has set it since. */
  @Nullable String valueOf(String name) {
    Invented own = madeUp.get(name);
    return own == null ? null : own.value();
  }

  /** A secret that was deleted and made up again begins to count again. */
  private @Nullable Invented ownOf(String name, Map<String, Long> there) {
    Invented own = madeUp.get(name);
    Long revision = there.get(name);
    return own != null && revision != null && own.revision() == revision ? own : null;
  }

  /** 64 hexadecimal digits: also base64, so that every scheme with a shared secret can use them. */
  private String fresh() {
    ByteBuffer bytes = ByteBuffer.allocate(WORDS * Long.BYTES);
    for (int i = 0; i < WORDS; i++) {
      bytes.putLong(random.nextLong());
    }
    return HexFormat.of().formatHex(bytes.array());
  }

  private void keep() {
    try {
      Files.writeString(file, Json.write(new InventedList(new LinkedHashMap<>(madeUp))) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written", e);
    }
  }
}
