/** Who a token belongs to, and what it allows. */
@NullMarked
package dev.hapax.app.auth;

import org.jspecify.annotations.NullMarked;
