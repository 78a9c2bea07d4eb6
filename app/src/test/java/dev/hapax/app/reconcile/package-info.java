/** Tests of reconciliations. */
@NullMarked
package dev.hapax.app.reconcile;

import org.jspecify.annotations.NullMarked;
