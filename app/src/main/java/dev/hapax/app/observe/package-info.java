/** What is going on in the server: metrics, health, and the feed of what becomes of runs. */
@NullMarked
package dev.hapax.app.observe;

import org.jspecify.annotations.NullMarked;
