/** The store in a PostgreSQL database. */
@NullMarked
package dev.hapax.store.postgres;

import org.jspecify.annotations.NullMarked;
