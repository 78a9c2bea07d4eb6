/** What all databases need of JDBC, written once. */
@NullMarked
package dev.hapax.store.jdbc;

import org.jspecify.annotations.NullMarked;
