/** Proofs of flow files: every effect happens once, no matter what goes wrong. */
@NullMarked
package dev.hapax.trial.proof;

import org.jspecify.annotations.NullMarked;
