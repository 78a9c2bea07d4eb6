/** Users' databases that flows write to under the guard {@code transaction}. */
@NullMarked
package dev.hapax.store.destination;

import org.jspecify.annotations.NullMarked;
