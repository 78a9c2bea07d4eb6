/** Receipts of effects: their content, their signature and their page; used by server and CLI. */
@NullMarked
package dev.hapax.app.receipt;

import org.jspecify.annotations.NullMarked;
