/** Attacks on a real server: each must be refused, and the server must go on. */
@NullMarked
package dev.hapax.app.attack;

import org.jspecify.annotations.NullMarked;
