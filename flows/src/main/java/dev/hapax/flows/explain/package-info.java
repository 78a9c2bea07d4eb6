/** What a flow file answers to the questions of a careful engineer: {@link Checklist}. */
@NullMarked
package dev.hapax.flows.explain;

import org.jspecify.annotations.NullMarked;
