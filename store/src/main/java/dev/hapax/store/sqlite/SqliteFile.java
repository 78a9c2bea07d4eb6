package dev.hapax.store.sqlite;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.OwnerOnly;
import dev.hapax.store.jdbc.Migrations;
import dev.hapax.store.jdbc.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a store, locked for this process and brought to a state that can be trusted: it is
 * ours, we know its version, and the remains of an unclean stop are on disk. Anything else is
 * refused before anything is changed.
 */
final class SqliteFile implements AutoCloseable {
  /** "Hapx" in the file's header: this SQLite database is a store of ours. */
  static final int APPLICATION_ID = 0x48617078;

  private static final Logger log = LoggerFactory.getLogger(SqliteFile.class);

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 100;
  private static final int APPLICATION_ID_OFFSET = 68;

  /**
   * Older versions can corrupt a file when two connections write and checkpoint at once (the
   * WAL-reset race).
   */
  private static final List<Integer> OLDEST_SQLITE = List.of(3, 51, 3);

  /** The locks and shared memory of these do not keep two machines apart. */
  private static final Set<String> NETWORK =
      Set.of(
          "nfs",
          "nfs4",
          "cifs",
          "smb",
          "smb2",
          "smb3",
          "smbfs",
          "afs",
          "fuse.sshfs",
          "fuse.glusterfs");

  /** quick_check reads the whole file; a larger one would delay its engine for seconds. */
  private static final long LARGEST_CHECKED_BYTES = 256L << 20;

  private final Path path;
  private final OpenFiles open;
  private final StoreLock lock;

  private SqliteFile(Path path, OpenFiles open, StoreLock lock) {
    this.path = path;
    this.open = open;
    this.lock = lock;
  }

  static SqliteFile open(Path file) {
    Path path = place(file);
    OpenFiles open = OpenFiles.add(path);
    try {
      refuseForeign(path);
      StoreLock lock = StoreLock.take(path);
      try {
        prepare(path);
        open.addExisting();
        return new SqliteFile(path, open, lock);
      } catch (SQLException e) {
        lock.close();
        throw new StoreRefused(
            "%s cannot be used: %s. If it is damaged, restore the last backup."
                .formatted(path, e.getMessage()),
            e);
      } catch (RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    try (open) {
      lock.close();
    }
  }

  /** The file's path without links, so that one file has one lock. */
  private static Path place(Path file) {
    Path absolute = file.toAbsolutePath().normalize();
    Path folder = absolute.getParent();
    if (folder == null || Files.isDirectory(absolute)) {
      throw new StoreRefused("%s is a folder: give the path of a file".formatted(absolute), null);
    }
    if (!Files.isDirectory(folder)) {
      throw new StoreRefused(
          "the folder %s does not exist: create it first".formatted(folder), null);
    }
    if (!Files.isWritable(folder) || (Files.exists(absolute) && !Files.isWritable(absolute))) {
      throw new StoreRefused("%s is not writable by this process".formatted(absolute), null);
    }
    try {
      String type = Files.getFileStore(folder).type().toLowerCase(Locale.ROOT);
      if (NETWORK.contains(type)) {
        throw new StoreRefused(
            "%s is on a network file system (%s), where SQLite's locks cannot be trusted: use a local disk"
                .formatted(absolute, type),
            null);
      }
      return Files.exists(absolute)
          ? absolute.toRealPath()
          : folder.toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      throw new StoreRefused("%s cannot be opened: %s".formatted(absolute, e.getMessage()), e);
    }
  }

  /** Looks only at the header: opening it with SQLite could already change a foreign file. */
  private static void refuseForeign(Path path) {
    byte[] header = header(path);
    if (header.length == 0) {
      return; // new
    }
    if (header.length < HEADER_BYTES
        || !Arrays.equals(MAGIC, Arrays.copyOf(header, MAGIC.length))) {
      throw new StoreRefused(
          "%s is not a SQLite database: give another path, or restore the last backup if it was a store"
              .formatted(path),
          null);
    }
    if (ByteBuffer.wrap(header).getInt(APPLICATION_ID_OFFSET) != APPLICATION_ID) {
      throw new StoreRefused(
          "%s is a SQLite database of another program: give another path".formatted(path), null);
    }
  }

  private static byte[] header(Path path) {
    if (!Files.exists(path)) {
      return new byte[0];
    }
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(HEADER_BYTES);
    } catch (IOException e) {
      throw new StoreRefused("%s cannot be read: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static void prepare(Path path) throws SQLException {
    boolean unclean = size(wal(path)) > 0;
    if (size(path) == 0) {
      create(path);
      claim(path);
    }
    try (Connection connection = SqliteConnections.plain(path)) {
      refuseOldSqlite(connection);
      migrations(connection).check(hasSchema(connection));
    }
    try (Connection connection = SqliteConnections.writer(path)) {
      if (unclean) {
        recover(path, connection);
      }
      migrations(connection).apply();
    }
  }

  /** SQLite gives the WAL and the other files beside the database the rights of the database. */
  private static void create(Path path) {
    try {
      OwnerOnly.file(path);
    } catch (IOException e) {
      throw new StoreRefused("%s cannot be created: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static Migrations migrations(Connection connection) {
    var session = new Session(connection, new SqliteDialect());
    return new Migrations(session, "BEGIN IMMEDIATE", SqliteFile.class);
  }

  /** Marks a new file as ours before anything else, in the file itself and not only in its WAL. */
  private static void claim(Path path) throws SQLException {
    try (Connection connection = SqliteConnections.plain(path)) {
      SqliteConnections.run(connection, "PRAGMA application_id = " + APPLICATION_ID);
    }
  }

  private static void refuseOldSqlite(Connection connection) throws SQLException {
    String version = String.valueOf(SqliteConnections.text(connection, "SELECT sqlite_version()"));
    int[] found = Arrays.stream(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
    int[] oldest = OLDEST_SQLITE.stream().mapToInt(Integer::intValue).toArray();
    if (Arrays.compare(found, oldest) < 0) {
      throw new StoreRefused(
          "SQLite %s can corrupt a store; expected 3.51.3 or newer: update sqlite-jdbc"
              .formatted(version),
          null);
    }
  }

  private static boolean hasSchema(Connection connection) throws SQLException {
    return SqliteConnections.number(
            connection,
            "SELECT number FROM (SELECT 1 AS number FROM sqlite_schema WHERE name = 'migration')")
        != null;
  }

  /**
   * Runs after an unclean stop. The content of the WAL may exist only in the operating system's
   * cache, so it is written and synced before anything is acknowledged or sent because of it.
   */
  private static void recover(Path path, Connection connection) throws SQLException {
    log.info("{} was not closed cleanly: its WAL is written back first", path);
    Checkpoints.truncate(connection);
    long bytes = size(path);
    if (bytes > LARGEST_CHECKED_BYTES) {
      log.warn(
          "{} has {} bytes, which would take long to check for damage: run PRAGMA quick_check when"
              + " there is time",
          path,
          bytes);
      return;
    }
    String found = SqliteConnections.text(connection, "PRAGMA quick_check(1)");
    if (!"ok".equals(found)) {
      throw new StoreRefused(
          "%s is damaged: %s. Restore the last backup.".formatted(path, found), null);
    }
  }

  private static Path wal(Path path) {
    return path.resolveSibling(path.getFileName() + "-wal");
  }

  private static long size(Path path) {
    try {
      return Files.exists(path) ? Files.size(path) : 0;
    } catch (IOException e) {
      throw new StoreRefused("%s cannot be read: %s".formatted(path, e.getMessage()), e);
    }
  }
}
