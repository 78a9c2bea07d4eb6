package dev.hapax.store.jdbc;

import java.sql.SQLException;

/**
 * A row was in the way of an insert and cannot be read. Where others write too it went meanwhile,
 * and the transaction is to be tried again; otherwise the store contradicts itself.
 */
public final class RowIsGone extends SQLException {
  private static final long serialVersionUID = 1L;

  RowIsGone(String which) {
    super(which + " is not there");
  }
}
