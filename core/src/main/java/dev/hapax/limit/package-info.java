/**
 * Limits that this process keeps in memory: rates, calls at once, circuit breakers. They begin
 * afresh with each process. Waiting runs are kept in the store.
 */
@NullMarked
package dev.hapax.limit;

import org.jspecify.annotations.NullMarked;
