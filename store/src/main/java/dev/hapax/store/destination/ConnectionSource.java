package dev.hapax.store.destination;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections to a database of the user come from. */
@FunctionalInterface
interface ConnectionSource {
  Connection connect() throws SQLException;
}
