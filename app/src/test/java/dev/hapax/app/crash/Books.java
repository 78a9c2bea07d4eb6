package dev.hapax.app.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The destination database of the transaction guard. Its table refuses nothing, so that a second
 * row would be seen.
 */
record Books(Path file) {
  static final String INSERT = "INSERT INTO booking (order_id, wire_key, quote) VALUES (?, ?, ?)";

  /** What one execution of the effect has left. */
  record Booking(String order, String wireKey, String quote) {}

  FileSource source() {
    return new FileSource(file);
  }

  void create() throws SQLException {
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA journal_mode = WAL");
      statement.execute(
          "CREATE TABLE booking (order_id TEXT NOT NULL, wire_key TEXT NOT NULL, quote TEXT NOT NULL)");
    }
  }

  List<Booking> bookings() throws SQLException {
    var bookings = new ArrayList<Booking>();
    try (Connection connection = source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT order_id, wire_key, quote FROM booking")) {
      while (row.next()) {
        bookings.add(new Booking(row.getString(1), row.getString(2), row.getString(3)));
      }
    }
    return bookings;
  }
}
