package dev.hapax.app.crash;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.store.destination.JdbcDestination;
import java.nio.file.Path;
import java.sql.Connection;

/** Where everything lies that outlives a process. */
record SiteFiles(Path directory) {
  Path store() {
    return directory.resolve("orders.db");
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
