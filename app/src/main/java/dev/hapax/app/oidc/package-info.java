/** Callers that another system knows: JSON web tokens of an OpenID Connect issuer. */
@NullMarked
package dev.hapax.app.oidc;

import org.jspecify.annotations.NullMarked;
