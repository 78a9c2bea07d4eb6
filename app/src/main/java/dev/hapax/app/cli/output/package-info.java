/** The answer of a command, and how it is printed: text for people, JSON for programs. */
@NullMarked
package dev.hapax.app.cli.output;

import org.jspecify.annotations.NullMarked;
