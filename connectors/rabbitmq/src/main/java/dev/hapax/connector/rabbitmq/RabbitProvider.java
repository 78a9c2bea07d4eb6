package dev.hapax.connector.rabbitmq;

import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.QueueBroker;

/** Makes the broker of connections of kind rabbitmq. */
public final class RabbitProvider implements QueueBroker.Provider {
  @Override
  public QueueBroker open(BrokerServices services) {
    return new RabbitBroker(services);
  }
}
