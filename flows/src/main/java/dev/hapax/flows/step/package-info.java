/** A class per kind of step: from the record of the file to calls of the run. */
@NullMarked
package dev.hapax.flows.step;

import org.jspecify.annotations.NullMarked;
