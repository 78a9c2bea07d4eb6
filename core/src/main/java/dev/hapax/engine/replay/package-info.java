/** What the journal of a run says: which steps are done, open or undoable. */
@NullMarked
package dev.hapax.engine.replay;

import org.jspecify.annotations.NullMarked;
