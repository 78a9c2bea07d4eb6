/** A class per kind of step: from the record in the file to calls on the run. */
@NullMarked
package dev.hapax.flows.step;

import org.jspecify.annotations.NullMarked;
