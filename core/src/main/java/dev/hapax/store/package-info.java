/** The port to a database: batches of conditional groups, and the committer that fills them. */
@NullMarked
package dev.hapax.store;

import org.jspecify.annotations.NullMarked;
