/**
 * A run as it is stored: before it starts, while it waits in line, and after its record has
 * expired.
 */
@NullMarked
package dev.hapax.run;

import org.jspecify.annotations.NullMarked;
