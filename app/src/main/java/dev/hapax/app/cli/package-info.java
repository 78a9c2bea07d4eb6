/**
 * The command line: a class per verb. It calls a server over HTTP, and checks flow files by itself.
 */
@NullMarked
package dev.hapax.app.cli;

import org.jspecify.annotations.NullMarked;
