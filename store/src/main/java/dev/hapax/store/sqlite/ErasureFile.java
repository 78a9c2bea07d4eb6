package dev.hapax.store.sqlite;

import dev.hapax.run.ErasureRecord;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file beside the database that remembers every request to erase, a line of JSON for each. It
 * is written before the commit that it describes: a backup that replaces the database loses the
 * same values again.
 */
final class ErasureFile {
  private static final Logger log = LoggerFactory.getLogger(ErasureFile.class);

  private final Path path;

  ErasureFile(Path database) {
    this.path = database.resolveSibling(database.getFileName() + ".erasures");
  }

  /**
   * Adds a line, which is on the disk when this returns. A line that is there twice does no harm.
   */
  void add(ErasureRecord erasure) throws IOException {
    try (FileChannel channel =
        OwnerOnly.open(
            path,
            Set.of(
                StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND))) {
      // A line that a crash has cut ends here, and is skipped when the file is read.
      String line = (channel.size() == 0 ? "" : "\n") + erasure.line();
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  List<ErasureRecord> read() throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(path, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return List.of();
    }
    var found = new ArrayList<ErasureRecord>();
    for (String line : lines) {
      try {
        if (!line.isBlank()) {
          found.add(ErasureRecord.parse(line));
        }
      } catch (IllegalArgumentException e) {
        log.warn(
            "{}: a line is damaged and was skipped. It was not committed if the process died while writing it",
            path);
      }
    }
    return found;
  }
}
