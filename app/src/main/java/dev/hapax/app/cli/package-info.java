/**
 * The command line: a class per verb; it talks HTTP to a server, and checks flow files by itself.
 */
@NullMarked
package dev.hapax.app.cli;

import org.jspecify.annotations.NullMarked;
