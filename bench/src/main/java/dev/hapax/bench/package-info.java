/**
 * Benchmarks: loads on a real store, measured beside the bare limits of the same machine in the
 * same minutes.
 */
@NullMarked
package dev.hapax.bench;

import org.jspecify.annotations.NullMarked;
