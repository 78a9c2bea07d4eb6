package dev.hapax.app.auth;

import dev.hapax.app.http.Access;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Scope;
import dev.hapax.json.Digest;
import dev.hapax.time.RandomSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The token of a server's first start, in a file that only its owner can read. Whoever has it may
 * do everything as the tenant {@code default}.
 */
public final class AdminToken implements Access {
  private static final String FILE = "admin.token";
  private static final int SECRET_BYTES = 32;
  private static final Actor ADMIN =
      new Actor("admin", "default", Set.of(Scope.ADMIN), Set.of("admin"));

  private final byte[] hash;
  private final String token;
  private final boolean isNew;

  private AdminToken(String token, boolean isNew) {
    this.token = token;
    this.hash = Digest.sha256(token);
    this.isNew = isNew;
  }

  /** The token of this data folder; made if there is none yet. */
  public static AdminToken in(Path folder, RandomSource random) throws IOException {
    Path file = folder.resolve(FILE);
    String fresh = fresh(random);
    try {
      write(file, fresh);
      return new AdminToken(fresh, true);
    } catch (FileAlreadyExistsException e) {
      return new AdminToken(Files.readString(file).strip(), false);
    }
  }

  /** Nobody else can read the file, not even for the moment between making and writing it. */
  private static void write(Path file, String token) throws IOException {
    var onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel out = FileChannel.open(file, options, onlyOwner)) {
      out.write(ByteBuffer.wrap((token + "\n").getBytes(StandardCharsets.UTF_8)));
      out.force(true);
    }
  }

  private static String fresh(RandomSource random) {
    var secret = ByteBuffer.allocate(SECRET_BYTES);
    while (secret.hasRemaining()) {
      secret.putLong(random.nextLong());
    }
    return "hapax_admin_" + Digest.base32(secret.array(), SECRET_BYTES);
  }

  /** The token itself, to be shown once if it {@link #isNew()}. */
  public String token() {
    return token;
  }

  /** Whether this start made it. */
  public boolean isNew() {
    return isNew;
  }

  @Override
  public @Nullable Actor actor(String given) {
    return MessageDigest.isEqual(hash, Digest.sha256(given)) ? ADMIN : null;
  }
}
