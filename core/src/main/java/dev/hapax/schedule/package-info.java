/** Runs at nominal instants: one per instant, even if clocks jump or processes die. */
@NullMarked
package dev.hapax.schedule;

import org.jspecify.annotations.NullMarked;
