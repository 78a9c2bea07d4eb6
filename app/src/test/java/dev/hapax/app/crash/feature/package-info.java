/** Processes that are killed while runs wait, ask, call, loop, compensate, publish and expire. */
@NullMarked
package dev.hapax.app.crash.feature;

import org.jspecify.annotations.NullMarked;
