/** Tests of drafts, releases and what is live, over real HTTP. */
@NullMarked
package dev.hapax.app.release;

import org.jspecify.annotations.NullMarked;
