/** Flows of the server: drafts, numbered releases, and which of them is live. */
@NullMarked
package dev.hapax.app.release;

import org.jspecify.annotations.NullMarked;
