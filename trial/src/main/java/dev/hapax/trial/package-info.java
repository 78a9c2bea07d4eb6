/** Trials of flow files: the real engine in memory, with a sandbox for everything outside. */
@NullMarked
package dev.hapax.trial;

import org.jspecify.annotations.NullMarked;
