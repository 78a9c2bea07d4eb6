package dev.hapax.connector.kafka;

import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.QueueBroker;
import org.apache.kafka.clients.DefaultHostResolver;

/** Makes the broker for connections of kind {@code kafka}. */
public final class KafkaProvider implements QueueBroker.Provider {
  @Override
  public QueueBroker open(BrokerServices services) {
    DefaultHostResolver.demandOwn(); // else no address would be checked
    return new KafkaBroker(services);
  }
}
