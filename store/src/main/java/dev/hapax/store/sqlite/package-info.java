/** The store in one SQLite file: one writer, and readers in parallel. */
@NullMarked
package dev.hapax.store.sqlite;

import org.jspecify.annotations.NullMarked;
