/** Formats flow files: one layout, the same meaning, every comment kept. */
@NullMarked
package dev.hapax.flows.format;

import org.jspecify.annotations.NullMarked;
