/** Work on many runs, effects or events: durable, in pages, at a rate. */
@NullMarked
package dev.hapax.job;

import org.jspecify.annotations.NullMarked;
