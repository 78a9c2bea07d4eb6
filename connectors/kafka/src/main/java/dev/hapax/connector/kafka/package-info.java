/** Topics of Kafka as queues. */
@NullMarked
package dev.hapax.connector.kafka;

import org.jspecify.annotations.NullMarked;
