@NullMarked
package dev.hapax.app.dev;

import org.jspecify.annotations.NullMarked;
