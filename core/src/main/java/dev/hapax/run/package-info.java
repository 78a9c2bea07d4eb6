/** What is written down about runs and effects, and the pure rules over it. */
@NullMarked
package dev.hapax.run;

import org.jspecify.annotations.NullMarked;
