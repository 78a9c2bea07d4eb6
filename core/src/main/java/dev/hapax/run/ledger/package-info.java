/** Rules for the claims of effects, and for undoing them. */
@NullMarked
package dev.hapax.run.ledger;

import org.jspecify.annotations.NullMarked;
