/** The one way in: every run begins with a request to {@code RunStarts}. */
@NullMarked
package dev.hapax.engine.start;

import org.jspecify.annotations.NullMarked;
