/** One stay of a run in memory: its body, its fibers, its steps, its exit. */
@NullMarked
package dev.hapax.engine.pass;

import org.jspecify.annotations.NullMarked;
