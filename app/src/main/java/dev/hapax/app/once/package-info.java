/** An effect without a flow: one request becomes a run of one step, and its routes. */
@NullMarked
package dev.hapax.app.once;

import org.jspecify.annotations.NullMarked;
