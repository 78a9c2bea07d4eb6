/** A store in memory: the port at its plainest, for tests and the simulation. */
@NullMarked
package dev.hapax.testkit.memory;

import org.jspecify.annotations.NullMarked;
