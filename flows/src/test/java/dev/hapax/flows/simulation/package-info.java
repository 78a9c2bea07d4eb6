/** Generated flow files, over the simulated engine, beside a model of what they say. */
@NullMarked
package dev.hapax.flows.simulation;

import org.jspecify.annotations.NullMarked;
