package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Prepared;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes most of the WAL back into the file while the writer continues. The writer does the rest
 * itself at its own limit, which is then short work, and its WAL starts over. This gives about a
 * tenth more runs a second with a million finished ones, and fewer long commits. Nothing depends on
 * it: a checkpoint that fails or comes late leaves more for the writer.
 */
final class Checkpoints implements AutoCloseable {
  /** Well below the writer's limit of 20,000, so that this is done before the writer reaches it. */
  private static final long FROM_PAGES = 12_000;

  private static final long FROM_PAGES_IF_TIGHT = 500;

  private static final long BYTES_PER_PAGE = 4096;

  private static final Logger log = LoggerFactory.getLogger(Checkpoints.class);

  private final Path file;
  private final Threads threads;
  private final Connection connection;
  private final Prepared writeBack;
  private @Nullable Signal done;
  private @Nullable FileStore disk;

  Checkpoints(Path file, Threads threads) throws SQLException {
    this.file = file;
    this.threads = threads;
    this.connection = SqliteConnections.writer(file);
    this.writeBack = new Prepared(connection, "PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Called by the writer, with the number of pages in its WAL that are not in the file yet. */
  void consider(long pages) {
    if (pages < FROM_PAGES || (done != null && !done.isRaised())) {
      return;
    }
    Signal end = threads.signal();
    done = end;
    threads.platform("hapax-checkpoint", () -> writeBack(end));
  }

  /**
   * Whether the disk has less free than the WAL takes. Then the writer should write it back itself,
   * and at once: a WAL that has taken all the space cannot be written back any more, because the
   * file would have to grow.
   */
  boolean isTight(long pages) {
    if (pages < FROM_PAGES_IF_TIGHT) {
      return false;
    }
    try {
      if (disk == null) {
        disk = Files.getFileStore(file); // once: finding it reads the list of all mounts
      }
      return disk.getUsableSpace() < pages * BYTES_PER_PAGE;
    } catch (IOException e) {
      return false; // the writer notices a lack of space too
    }
  }

  private void writeBack(Signal end) {
    try {
      writeBack.first(row -> row.flag(1));
    } catch (SQLException e) {
      log.warn("the WAL could not be written back; it grows until the next try succeeds", e);
    } finally {
      end.raise();
    }
  }

  @Override
  public void close() throws SQLException {
    if (done != null) {
      done.await();
    }
    connection.close();
  }

  /** Writes everything back, and empties the WAL. */
  static void truncate(Connection connection) throws SQLException {
    if (!isTruncated(connection)) {
      throw new SQLException("the WAL could not be written back: another program reads the file");
    }
  }

  /** As above; false if a reader or a backup is in the way. */
  static boolean isTruncated(Connection connection) throws SQLException {
    try (var truncate = new Prepared(connection, "PRAGMA wal_checkpoint(TRUNCATE)")) {
      return Boolean.FALSE.equals(truncate.first(row -> row.flag(1)));
    }
  }
}
