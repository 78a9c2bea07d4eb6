/**
 * The parts of a flow: its body, the contracts of its steps, its rules. Imports nothing of ours.
 */
@NullMarked
package dev.hapax.flow;

import org.jspecify.annotations.NullMarked;
