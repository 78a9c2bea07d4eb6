@NullMarked
package dev.hapax.app.secret.outside;

import org.jspecify.annotations.NullMarked;
