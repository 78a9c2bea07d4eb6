/** Ports for time, chance and threads; the only place that reads a clock or starts a thread. */
@NullMarked
package dev.hapax.time;

import org.jspecify.annotations.NullMarked;
