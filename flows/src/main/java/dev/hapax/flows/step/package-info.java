/**
 * A file per kind of step: its record, its form in flow files, its reader, its execution, its
 * words.
 */
@NullMarked
package dev.hapax.flows.step;

import org.jspecify.annotations.NullMarked;
