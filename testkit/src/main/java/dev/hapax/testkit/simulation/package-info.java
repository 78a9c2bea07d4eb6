/**
 * The real engine over simulated time, threads, store and world: one seed, one course of events,
 * the same in every process. Days pass in milliseconds, and a failure is a number.
 */
@NullMarked
package dev.hapax.testkit.simulation;

import org.jspecify.annotations.NullMarked;
