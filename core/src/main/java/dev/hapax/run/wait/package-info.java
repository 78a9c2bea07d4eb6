/** Waits for outside systems, for people, and for other runs. */
@NullMarked
package dev.hapax.run.wait;

import org.jspecify.annotations.NullMarked;
