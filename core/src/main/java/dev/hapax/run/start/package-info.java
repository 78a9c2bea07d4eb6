/** Rules for runs that a call or an event starts. */
@NullMarked
package dev.hapax.run.start;

import org.jspecify.annotations.NullMarked;
