/**
 * The entry point: open a store, register flows, start and await runs, settle effects in review.
 */
@NullMarked
package dev.hapax;

import org.jspecify.annotations.NullMarked;
