/** The JDBC code that all databases share. */
@NullMarked
package dev.hapax.store.jdbc;

import org.jspecify.annotations.NullMarked;
