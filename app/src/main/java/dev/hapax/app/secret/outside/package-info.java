/** Secrets that other systems keep: in files, in the environment and behind helper programs. */
@NullMarked
package dev.hapax.app.secret.outside;

import org.jspecify.annotations.NullMarked;
