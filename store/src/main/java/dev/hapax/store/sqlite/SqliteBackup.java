package dev.hapax.store.sqlite;

import dev.hapax.flow.Restored;
import dev.hapax.store.OwnerOnly;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A consistent copy of a live store. It is complete and synced under another name before it gets
 * its final one, so that a file with the target's name is always a whole backup.
 */
final class SqliteBackup {
  private final Path file;
  private final Path target;

  private final Instant at;

  private SqliteBackup(Path file, Path target, Instant at) {
    this.file = file;
    this.target = target;
    this.at = at;
  }

  /** Copies on a platform thread: SQLite is busy in native code all the while. */
  static void of(Path file, Path target, Instant at, Threads threads) {
    var backup = new SqliteBackup(file, target.toAbsolutePath(), at);
    var failure = new AtomicReference<@Nullable RuntimeException>();
    Signal done = threads.signal();
    threads.platform(
        "hapax-backup",
        () -> {
          try {
            backup.make();
          } catch (IOException e) {
            failure.set(
                new UncheckedIOException("the backup " + target + " failed: " + e.getMessage(), e));
          } catch (SQLException e) {
            failure.set(
                new IllegalStateException(
                    "the backup " + target + " failed: " + e.getMessage(), e));
          } finally {
            done.raise();
          }
        });
    done.await();
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  private void make() throws IOException, SQLException {
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(
          target.toString(), null, "a backup never replaces a file: give another name");
    }
    Path part = target.resolveSibling(target.getFileName() + ".part");
    Files.deleteIfExists(part);
    OwnerOnly.file(part); // VACUUM fills an empty file, and would create one that others can read
    try (Connection connection = SqliteConnections.plain(file);
        var vacuum = new Prepared(connection, "VACUUM INTO :target")) {
      vacuum.with(part.toString()).execute();
    }
    try (Connection copy = SqliteConnections.plain(part)) {
      SqliteIdentity.mark(copy, new Restored(Restored.Why.BACKUP, at));
    }
    sync(part);
    Files.move(part, target);
    sync(target.getParent());
  }

  private static void sync(@Nullable Path path) throws IOException {
    if (path == null) {
      return;
    }
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
