/** The loop of a node: takes runs up, holds them in memory, renews the lease, keeps retention. */
@NullMarked
package dev.hapax.engine;

import org.jspecify.annotations.NullMarked;
