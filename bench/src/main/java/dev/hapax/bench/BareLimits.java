package dev.hapax.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Measures the disk and SQLite with no engine on top. */
final class BareLimits implements Load {
  private static final Duration WARM_UP = Duration.ofSeconds(1);
  private static final Duration TIME = Duration.ofSeconds(3);

  @Override
  public String name() {
    return "bare";
  }

  @Override
  public void measure(Workspace workspace, Report report) throws IOException, SQLException {
    report.add(Figure.of("bare.fsync.per-s", syncs(workspace.file("bare.log")), "4 KiB appends/s"));
    for (int batch : new int[] {128, 1024}) {
      try (var rows = new Rows(workspace.file("bare-" + batch + ".db"), batch)) {
        rows.perSecond(WARM_UP);
        report.add(Figure.of("bare.sqlite.rows-per-s." + batch, rows.perSecond(TIME), "rows/s"));
      }
    }
  }

  private static double syncs(Path file) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(4096);
    try (FileChannel log =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      return Pace.perSecond(
          TIME,
          () -> {
            log.write(block.clear());
            log.force(false);
            return 1;
          });
    }
  }

  /**
   * Inserts rows in order of creation, a number of them per commit: WAL, synchronous=FULL, the
   * driver's other defaults.
   */
  static final class Rows implements AutoCloseable {
    private static final String TEXT =
        "{\"id\":\"ch_5k2m7q\",\"status\":\"succeeded\",\"amount\":4200}";

    private final Connection connection;
    private final PreparedStatement insert;
    private final int batch;

    Rows(Path file, int batch) throws SQLException {
      this.batch = batch;
      this.connection =
          DriverManager.getConnection("jdbc:sqlite:" + file + "?jdbc.get_generated_keys=false");
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA journal_mode=WAL");
        statement.execute("PRAGMA synchronous=FULL");
        statement.execute(
            "CREATE TABLE IF NOT EXISTS line (number INTEGER PRIMARY KEY, text TEXT NOT NULL)");
      }
      connection.setAutoCommit(false);
      this.insert = connection.prepareStatement("INSERT INTO line (text) VALUES (?)");
    }

    double perSecond(Duration time) {
      return Pace.perSecond(
          time,
          () -> {
            for (int i = 0; i < batch; i++) {
              insert.setString(1, TEXT);
              insert.executeUpdate();
            }
            connection.commit();
            return batch;
          });
    }

    @Override
    public void close() throws SQLException {
      insert.close();
      connection.close();
    }
  }
}
