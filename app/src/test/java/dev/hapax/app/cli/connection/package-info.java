/** Which server a command calls, and with which token. */
@NullMarked
package dev.hapax.app.cli.connection;

import org.jspecify.annotations.NullMarked;
