/** Tools for tests of flows, ours and yours: time that a test moves, and a store in memory. */
@NullMarked
package dev.hapax.testkit;

import org.jspecify.annotations.NullMarked;
