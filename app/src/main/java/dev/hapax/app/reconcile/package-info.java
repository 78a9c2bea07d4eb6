/** Compares the ledger with what destinations have: a flow of the server, and its routes. */
@NullMarked
package dev.hapax.app.reconcile;

import org.jspecify.annotations.NullMarked;
