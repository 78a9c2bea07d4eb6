/** The door for agents: the Model Context Protocol over HTTP, in two revisions. */
@NullMarked
package dev.hapax.app.mcp;

import org.jspecify.annotations.NullMarked;
