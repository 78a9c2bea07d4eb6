package dev.hapax.store.jdbc;

import java.sql.SQLException;

/**
 * A row blocked an insert and cannot be read. If other processes write too, it was deleted
 * meanwhile, and the transaction must be tried again; otherwise the store contradicts itself.
 */
public final class RowIsGone extends SQLException {
  private static final long serialVersionUID = 1L;

  RowIsGone(String which) {
    super(which + " is not there");
  }
}
