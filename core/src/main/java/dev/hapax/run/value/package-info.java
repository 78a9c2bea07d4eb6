/** Entries of the durable map, and large values. */
@NullMarked
package dev.hapax.run.value;

import org.jspecify.annotations.NullMarked;
