/** The verbs for a whole folder of flows and connections: deploy it, or write it. */
@NullMarked
package dev.hapax.app.cli.folder;

import org.jspecify.annotations.NullMarked;
