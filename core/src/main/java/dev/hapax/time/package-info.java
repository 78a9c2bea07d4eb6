/**
 * Ports for time, random numbers and threads. Only this package reads a clock or starts a thread.
 */
@NullMarked
package dev.hapax.time;

import org.jspecify.annotations.NullMarked;
