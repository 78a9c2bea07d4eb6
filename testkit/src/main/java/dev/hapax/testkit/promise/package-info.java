/**
 * One checker per promise (docs/architecture/promises.md). Each reads the records of witnesses
 * outside the engine and the store through its port, calls no engine code, and was seen to fail.
 */
@NullMarked
package dev.hapax.testkit.promise;

import org.jspecify.annotations.NullMarked;
