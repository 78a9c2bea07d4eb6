/** The one body that walks a flow file, written against core's Java API. */
@NullMarked
package dev.hapax.flows.interpret;

import org.jspecify.annotations.NullMarked;
