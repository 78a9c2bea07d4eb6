@NullMarked
package dev.hapax.app.oidc;

import org.jspecify.annotations.NullMarked;
