/** The pages that a newcomer follows, followed by a test as they are written. */
@NullMarked
package dev.hapax.app.visit;

import org.jspecify.annotations.NullMarked;
