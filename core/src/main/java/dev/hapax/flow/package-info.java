/**
 * The parts of a flow: its body, the contracts of its steps, its rules. Also the values and
 * exceptions that users get from an engine, because all parts of the engine use them. Imports
 * nothing of ours.
 */
@NullMarked
package dev.hapax.flow;

import org.jspecify.annotations.NullMarked;
