/** The store in one SQLite file: one writer, readers beside it. */
@NullMarked
package dev.hapax.store.sqlite;

import org.jspecify.annotations.NullMarked;
