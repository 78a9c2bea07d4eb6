/** Runs at nominal instants: one per instant, whatever clocks and processes do. */
@NullMarked
package dev.hapax.schedule;

import org.jspecify.annotations.NullMarked;
