package dev.hapax.app.secret;

import dev.hapax.time.RandomSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The master keys of this server: the first one protects new writes, the others still open what was
 * written under them until it has been re-keyed.
 */
public final class Keyring {
  private final List<MasterKey> keys;

  private Keyring(List<MasterKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** A keyring of keys of 32 bytes each, the current one first. */
  public static Keyring of(List<byte[]> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("master key: expected at least one, got none");
    }
    return new Keyring(keys.stream().map(MasterKey::new).toList());
  }

  /** Reads a key per line in base64, the current one first; lines with '#' first are comments. */
  public static Keyring read(Path file) throws IOException {
    List<byte[]> keys = new ArrayList<>();
    for (String line : OwnerFile.read(file).lines().map(String::strip).toList()) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        keys.add(key(file, line));
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalStateException(file + " holds no master key");
    }
    return of(keys);
  }

  private static byte[] key(Path file, String line) {
    try {
      byte[] key = Base64.getDecoder().decode(line);
      if (key.length == MasterKey.BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      // falls through: the message must not repeat the line
    }
    throw new IllegalStateException(
        "%s: expected %d bytes in base64 on each line, got something else"
            .formatted(file, MasterKey.BYTES));
  }

  /** Makes the file with a fresh key. */
  static Keyring make(Path file, RandomSource random) throws IOException {
    OwnerFile.make(file, Base64.getEncoder().encodeToString(bytes(random)) + "\n");
    return read(file);
  }

  /** Returns as many random bytes as a key has. */
  static byte[] bytes(RandomSource random) {
    var bytes = ByteBuffer.allocate(MasterKey.BYTES);
    while (bytes.hasRemaining()) {
      bytes.putLong(random.nextLong());
    }
    return bytes.array();
  }

  MasterKey current() {
    return keys.getFirst();
  }

  @Nullable MasterKey find(String id) {
    return keys.stream().filter(key -> key.id().equals(id)).findFirst().orElse(null);
  }
}
