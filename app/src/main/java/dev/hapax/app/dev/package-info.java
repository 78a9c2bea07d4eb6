/**
 * {@code hapax dev}: a server that is kept equal to a folder, with a clock that can be moved and a
 * stand-in for everything outside.
 */
@NullMarked
package dev.hapax.app.dev;

import org.jspecify.annotations.NullMarked;
