/** The journal of a run: its entries, its rows, and the answers of the store. */
@NullMarked
package dev.hapax.run.journal;

import org.jspecify.annotations.NullMarked;
