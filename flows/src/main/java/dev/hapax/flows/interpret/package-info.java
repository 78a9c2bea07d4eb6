/** The one body that executes flow files, written against core's Java API. */
@NullMarked
package dev.hapax.flows.interpret;

import org.jspecify.annotations.NullMarked;
