/** Messages to other systems: stored once, delivered with retries under the same id. */
@NullMarked
package dev.hapax.outbox;

import org.jspecify.annotations.NullMarked;
