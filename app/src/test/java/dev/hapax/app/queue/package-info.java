/** The contract of queue triggers, for each broker. */
@NullMarked
package dev.hapax.app.queue;

import org.jspecify.annotations.NullMarked;
