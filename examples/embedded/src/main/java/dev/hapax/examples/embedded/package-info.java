/** Hapax inside a Java program of your own. */
@NullMarked
package dev.hapax.examples.embedded;

import org.jspecify.annotations.NullMarked;
