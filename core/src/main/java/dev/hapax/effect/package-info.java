/** The effect protocol: intend, send, settle; the meaning of answers, and the rules for doubt. */
@NullMarked
package dev.hapax.effect;

import org.jspecify.annotations.NullMarked;
