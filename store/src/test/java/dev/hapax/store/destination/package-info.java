/** The marker's guarantees on a real database. */
@NullMarked
package dev.hapax.store.destination;

import org.jspecify.annotations.NullMarked;
