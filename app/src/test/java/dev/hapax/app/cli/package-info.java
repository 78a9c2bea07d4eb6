/** The command line, verb by verb, held by golden files. */
@NullMarked
package dev.hapax.app.cli;

import org.jspecify.annotations.NullMarked;
