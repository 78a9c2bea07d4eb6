package dev.hapax.store.destination;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to a user's database. */
@FunctionalInterface
interface ConnectionSource {
  Connection connect() throws SQLException;
}
