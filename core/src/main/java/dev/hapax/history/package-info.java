/** Turns the journal into entries for people. Read only. */
@NullMarked
package dev.hapax.history;

import org.jspecify.annotations.NullMarked;
