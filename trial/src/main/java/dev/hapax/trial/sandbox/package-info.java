/** A stand-in for everything that flows reach outside, which knows what really happened there. */
@NullMarked
package dev.hapax.trial.sandbox;

import org.jspecify.annotations.NullMarked;
