/** A file per trigger kind: its record, its form in flow files, its reader and its words. */
@NullMarked
package dev.hapax.flows.trigger;

import org.jspecify.annotations.NullMarked;
