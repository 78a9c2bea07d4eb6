/** A Kafka broker and a client of it, for the tests of the program. */
@NullMarked
package dev.hapax.connector.kafka;

import org.jspecify.annotations.NullMarked;
