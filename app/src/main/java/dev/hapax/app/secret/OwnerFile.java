package dev.hapax.app.secret;

import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Files that only their owner can read. */
public final class OwnerFile {
  private OwnerFile() {}

  /**
   * Creates the file with this text, durable when this returns. Only the owner can read it, also
   * between its creation and the write.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it is there
   */
  public static void make(Path file, String text) throws IOException {
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel out = OwnerOnly.open(file, options)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Path folder = file.toAbsolutePath().getParent();
    try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
      entries.force(true); // or a power cut could lose the file's name
    }
  }

  /**
   * Returns its text.
   *
   * @throws IllegalStateException if others can read it too
   */
  public static String read(Path file) throws IOException {
    String rights = OwnerOnly.tooOpen(file);
    if (rights != null) {
      throw new IllegalStateException(
          "%s can be read by others (%s). Run: chmod 600 %s".formatted(file, rights, file));
    }
    return Files.readString(file);
  }
}
