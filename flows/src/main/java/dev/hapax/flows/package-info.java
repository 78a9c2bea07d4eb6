/** The entry point for flow files: read, check, and turn into a core flow. */
@NullMarked
package dev.hapax.flows;

import org.jspecify.annotations.NullMarked;
