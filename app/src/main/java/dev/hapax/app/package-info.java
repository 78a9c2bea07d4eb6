/** The program: reads the command line and hands over. */
@NullMarked
package dev.hapax.app;

import org.jspecify.annotations.NullMarked;
