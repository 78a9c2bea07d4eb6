/** Blueprints of the examples, on a server that is killed again and again. */
@NullMarked
package dev.hapax.app.crash.blueprint;

import org.jspecify.annotations.NullMarked;
