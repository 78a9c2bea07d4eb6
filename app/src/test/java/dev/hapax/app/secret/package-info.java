@NullMarked
package dev.hapax.app.secret;

import org.jspecify.annotations.NullMarked;
