package dev.hapax.store.sqlite;

import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file beside the database that names the store and its epoch. It is written after the commit
 * that it describes, so the database is never behind it, unless an older copy replaced it.
 */
final class EpochFile {
  private static final Logger log = LoggerFactory.getLogger(EpochFile.class);
  private static final Pattern TEXT = Pattern.compile("store (\\d+) epoch (\\d+)\\s*");

  private final Path path;

  EpochFile(Path database) {
    this.path = database.resolveSibling(database.getFileName() + ".epoch");
  }

  /**
   * @param store the store's id
   */
  record Content(long store, long epoch) {}

  /**
   * Returns null if there is none.
   *
   * @throws IOException if it cannot be read
   */
  @Nullable Content read() throws IOException {
    String text;
    try {
      text = Files.readString(path, StandardCharsets.US_ASCII);
    } catch (NoSuchFileException e) {
      return null;
    }
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IOException(
          "%s is damaged: delete it, open the store, and confirm whether it is production or a copy"
              .formatted(path));
    }
    return new Content(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }

  /** Writes the file whole or not at all, even in a power cut. */
  void write(Content content) throws IOException {
    Path part = path.resolveSibling(path.getFileName() + ".part");
    byte[] text =
        "store %d epoch %d%n"
            .formatted(content.store(), content.epoch())
            .getBytes(StandardCharsets.US_ASCII);
    try (FileChannel channel =
        OwnerOnly.open(
            part,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE))) {
      channel.write(ByteBuffer.wrap(text));
      channel.force(true);
    }
    Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes after a commit: older content is never wrong, only less exact. */
  void writeIfPossible(Content content) {
    try {
      write(content);
    } catch (IOException e) {
      log.warn(
          "{} could not be written, so an older copy of the store may not be noticed: {}",
          path,
          e.getMessage());
    }
  }
}
