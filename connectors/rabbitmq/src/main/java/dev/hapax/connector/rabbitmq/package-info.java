/** Queues of RabbitMQ: read with acknowledgements, and published to with confirms. */
@NullMarked
package dev.hapax.connector.rabbitmq;

import org.jspecify.annotations.NullMarked;
