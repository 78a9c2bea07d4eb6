/** JSON as it is stored and compared: one mapper, one canonical form, one fingerprint. */
@NullMarked
package dev.hapax.json;

import org.jspecify.annotations.NullMarked;
