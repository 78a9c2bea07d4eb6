/** The engine on a store in memory, with time that the tests move. */
@NullMarked
package dev.hapax.engine.tests;

import org.jspecify.annotations.NullMarked;
