/** What is special about SQLite; what every store does is in the contract. */
@NullMarked
package dev.hapax.store.sqlite;

import org.jspecify.annotations.NullMarked;
