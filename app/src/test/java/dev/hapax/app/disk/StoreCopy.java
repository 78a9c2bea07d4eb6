package dev.hapax.app.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Looks into a store that a process left behind, in a copy: opening the store itself would write
 * its WAL back, which is what the next process has to do.
 */
final class StoreCopy {
  private StoreCopy() {}

  static Path wal(Path store) {
    return store.resolveSibling(store.getFileName() + "-wal");
  }

  /** What SQLite finds wrong with the file and its WAL; {@code ok} if nothing. */
  static String integrity(Path store, Path scratch) throws IOException, SQLException {
    Path copy = scratch.resolve("copy.db");
    copy(store, copy);
    copy(wal(store), wal(copy));
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
      return row.getString(1);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.exists(from)) {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.deleteIfExists(to);
    }
  }
}
