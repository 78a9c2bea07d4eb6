@NullMarked
package dev.hapax.app.wire;

import org.jspecify.annotations.NullMarked;
