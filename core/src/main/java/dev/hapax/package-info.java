/** The door: open a store, register flows, start and await runs, settle what only a person can. */
@NullMarked
package dev.hapax;

import org.jspecify.annotations.NullMarked;
