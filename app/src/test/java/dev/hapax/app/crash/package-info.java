/** Real processes that die at every boundary, with a sink process as the witness. */
@NullMarked
package dev.hapax.app.crash;

import org.jspecify.annotations.NullMarked;
