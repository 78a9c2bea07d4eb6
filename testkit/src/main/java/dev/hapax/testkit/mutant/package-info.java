/**
 * Mutants of production code: small faults that are written into a class of a running process, to
 * see whether the tests notice.
 */
@NullMarked
package dev.hapax.testkit.mutant;

import org.jspecify.annotations.NullMarked;
