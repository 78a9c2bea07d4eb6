/** The verbs for agents: a server over standard input and output, and the guides. */
@NullMarked
package dev.hapax.app.cli.agent;

import org.jspecify.annotations.NullMarked;
