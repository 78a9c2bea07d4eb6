package dev.hapax.app.crash;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.store.destination.JdbcDestination;
import java.nio.file.Path;
import java.sql.Connection;

/**
 * The places of everything that outlives a process.
 *
 * @param directory of the witnesses, which no fault of the store's disk may reach
 * @param disk where the store is
 */
record SiteFiles(Path directory, Path disk) {
  Path store() {
    return disk.resolve("orders.db");
  }

  Path sinkLog() {
    return directory.resolve("sink.log");
  }

  Books books() {
    return new Books(directory.resolve("books.db"));
  }

  DestinationDatabase<Connection> destination() {
    return JdbcDestination.of(books().source());
  }
}
