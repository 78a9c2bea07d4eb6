/** A flow as a picture: its steps laid out from top to bottom, as SVG. */
@NullMarked
package dev.hapax.flows.graph;

import org.jspecify.annotations.NullMarked;
