/** Test cases of flows: files beside them, read, run and compared. */
@NullMarked
package dev.hapax.trial.cases;

import org.jspecify.annotations.NullMarked;
