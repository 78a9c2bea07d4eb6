/** The stored records of runs and effects, and the pure rules over them. */
@NullMarked
package dev.hapax.run;

import org.jspecify.annotations.NullMarked;
