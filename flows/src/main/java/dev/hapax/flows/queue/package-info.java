/** The port to brokers: messages are read, received, and only then acknowledged. */
@NullMarked
package dev.hapax.flows.queue;

import org.jspecify.annotations.NullMarked;
