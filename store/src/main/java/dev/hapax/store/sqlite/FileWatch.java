package dev.hapax.store.sqlite;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the database or its WAL was deleted or replaced while it was open: an open file
 * still takes writes after that, and they are lost with the process.
 *
 * <p>It looks at the folder, whose time changes with the names in it, and at the two files only if
 * that time is new. A look at the WAL after each commit would be expensive: since Linux 6.13 the
 * next write then gets a time of its own, and its sync has to write the inode as well. With one
 * caller this cost 150 us of processor time per run of four commits, and a tenth of the pace.
 */
final class FileWatch {
  /**
   * A folder may change twice within one tick of the file system's clock, and show one time for
   * both. No tick is longer than this.
   */
  private static final Duration TICK = Duration.ofMillis(50);

  private static final Clock CLOCK = Ports.system().clock(); // the one that file times are from

  private final Path folder;
  private final Path database;
  private final Path wal;
  private final @Nullable Object databaseKey;
  private volatile @Nullable Object walKey;
  private volatile @Nullable FolderState good;

  /** The folder when both files were looked at. */
  private record FolderState(@Nullable Object key, Instant modifiedAt) {
    /**
     * Whether any later change gives the folder another time. Whole seconds may come from a file
     * system that knows no others.
     */
    boolean isDistinctAt(Instant time) {
      boolean isWholeSecond = modifiedAt.equals(modifiedAt.truncatedTo(ChronoUnit.SECONDS));
      return !isWholeSecond && modifiedAt.plus(TICK).isBefore(time);
    }
  }

  /** Notes the database as it was opened. */
  FileWatch(Path database) {
    this.folder = Objects.requireNonNull(database.getParent(), "an absolute path");
    this.database = database;
    this.wal = database.resolveSibling(database.getFileName() + "-wal");
    this.databaseKey = OpenFiles.key(database);
  }

  /** Notes the WAL after the first transaction of a connection, which has created it. */
  void begin() {
    walKey = OpenFiles.key(wal);
    good = null;
  }

  /** Returns what is wrong; null if nothing is. */
  @Nullable String problem() {
    Instant lookedAt = CLOCK.now();
    FolderState now = folderState();
    if (now != null && now.equals(good)) {
      return null;
    }
    if (!Objects.equals(databaseKey, OpenFiles.key(database))) {
      return database + " was deleted or replaced while it was open";
    }
    if (!Objects.equals(walKey, OpenFiles.key(wal))) {
      return wal + " was deleted or replaced while it was open";
    }
    good = now != null && now.isDistinctAt(lookedAt) ? now : null;
    return null;
  }

  private @Nullable FolderState folderState() {
    try {
      var attributes = Files.readAttributes(folder, BasicFileAttributes.class);
      return new FolderState(attributes.fileKey(), attributes.lastModifiedTime().toInstant());
    } catch (IOException e) {
      return null;
    }
  }
}
