/** The effect protocol: intend, send, settle; what answers mean and what doubt does. */
@NullMarked
package dev.hapax.effect;

import org.jspecify.annotations.NullMarked;
