/** The server that a command calls: its address, its token, requests and replies. */
@NullMarked
package dev.hapax.app.cli.connection;

import org.jspecify.annotations.NullMarked;
