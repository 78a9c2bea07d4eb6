/** Who may do what in a server: tenants, tokens, rates per token, and the log of who did what. */
@NullMarked
package dev.hapax.app.access;

import org.jspecify.annotations.NullMarked;
