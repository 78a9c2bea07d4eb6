/** What the engine gives each run: the timer, guarded threads, tokens, alerts. */
@NullMarked
package dev.hapax.engine.parts;

import org.jspecify.annotations.NullMarked;
