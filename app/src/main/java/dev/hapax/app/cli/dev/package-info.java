/** The verbs of {@code hapax dev} that talk to its server. */
@NullMarked
package dev.hapax.app.cli.dev;

import org.jspecify.annotations.NullMarked;
