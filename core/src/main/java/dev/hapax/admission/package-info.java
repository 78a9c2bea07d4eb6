/** Turns a request into a new run, a duplicate or a refusal. */
@NullMarked
package dev.hapax.admission;

import org.jspecify.annotations.NullMarked;
