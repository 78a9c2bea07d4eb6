/** External systems by name: their addresses, limits and secrets, and the only way out to them. */
@NullMarked
package dev.hapax.flows.connection;

import org.jspecify.annotations.NullMarked;
