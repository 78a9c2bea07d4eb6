/** Secrets, encrypted, and the connections that use them; both behind the ports of flows. */
@NullMarked
package dev.hapax.app.secret;

import org.jspecify.annotations.NullMarked;
