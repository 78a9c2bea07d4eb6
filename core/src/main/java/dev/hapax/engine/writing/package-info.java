/** Writes what a run does: its groups in order, its start and its end. */
@NullMarked
package dev.hapax.engine.writing;

import org.jspecify.annotations.NullMarked;
