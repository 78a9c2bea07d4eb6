/** Observation of the server: metrics, health, and the feed of changes of runs. */
@NullMarked
package dev.hapax.app.observe;

import org.jspecify.annotations.NullMarked;
