/**
 * Faults from outside: processes that die, and a destination that loses answers. Imports nothing of
 * ours.
 */
@NullMarked
package dev.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
