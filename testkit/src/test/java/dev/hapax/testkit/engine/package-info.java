/** The engine on a store in memory, with time that the tests move. */
@NullMarked
package dev.hapax.testkit.engine;

import org.jspecify.annotations.NullMarked;
