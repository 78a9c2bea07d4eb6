package dev.hapax.store.sqlite;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the database or its WAL was deleted or replaced while it was open: an open file
 * still takes writes after that, and they are lost with the process. Costs two looks at the folder.
 */
final class FileWatch {
  private final Path database;
  private final Path wal;
  private final @Nullable Object databaseKey;
  private volatile @Nullable Object walKey;

  /** Notes the database as it was opened. */
  FileWatch(Path database) {
    this.database = database;
    this.wal = database.resolveSibling(database.getFileName() + "-wal");
    this.databaseKey = OpenFiles.key(database);
  }

  /** Notes the WAL after the first transaction of a connection, which has created it. */
  void begin() {
    walKey = OpenFiles.key(wal);
  }

  /** Returns what is wrong; null if nothing is. */
  @Nullable String problem() {
    if (!Objects.equals(databaseKey, OpenFiles.key(database))) {
      return database + " was deleted or replaced while it was open";
    }
    if (!Objects.equals(walKey, OpenFiles.key(wal))) {
      return wal + " was deleted or replaced while it was open";
    }
    return null;
  }
}
