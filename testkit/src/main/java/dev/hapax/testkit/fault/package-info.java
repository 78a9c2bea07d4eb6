/**
 * Faults from outside: processes that die, disks that fail or lose their power, and a destination
 * that loses answers. Imports nothing of ours.
 */
@NullMarked
package dev.hapax.testkit.fault;

import org.jspecify.annotations.NullMarked;
