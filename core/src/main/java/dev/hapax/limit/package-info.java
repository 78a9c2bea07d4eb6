/**
 * Limits that this process keeps in memory: rates, calls at once, circuit breakers. They begin
 * afresh with each process; who waits for them waits in the store.
 */
@NullMarked
package dev.hapax.limit;

import org.jspecify.annotations.NullMarked;
