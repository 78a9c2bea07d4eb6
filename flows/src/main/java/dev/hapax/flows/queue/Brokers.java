package dev.hapax.flows.queue;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerClients;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All kinds of brokers. The client library of a kind is loaded when a connection of this kind is
 * used for the first time. Safe for many threads.
 */
public final class Brokers implements BrokerClients {
  private static final Logger log = LoggerFactory.getLogger(Brokers.class);

  private final BrokerServices services;
  private final List<QueueBroker> own;
  private final Map<String, QueueBroker> loaded = new ConcurrentHashMap<>();
  private final Map<String, Way> ways = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  /** A publisher, and the connection that it was opened for. */
  private record Opened(Connection connection, QueuePublisher publisher) {}

  /**
   * The way to one connection. Opening it may take long, so each has a lock of its own: a broker
   * that does not answer delays no message to another one.
   */
  private static final class Way {
    private final AtomicReference<@Nullable Opened> opened = new AtomicReference<>();
  }

  public Brokers(BrokerServices services) {
    this.services = services;
    this.own =
        List.of(
            new TableBroker(services.network()),
            new SqsBroker(services.network(), services.ports().clock()));
  }

  /**
   * Returns why the connection cannot be read as these terms say, and what to do; null if it can.
   */
  public @Nullable String problem(Connection connection, QueueTerms terms) {
    try {
      return of(connection).problem(terms);
    } catch (NotApplied e) {
      return e.getMessage();
    }
  }

  /**
   * Opens a consumer.
   *
   * @throws NotApplied if the connection has no queues, or this server has no client for it
   */
  public QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory)
      throws Exception {
    QueueBroker broker = of(connection);
    String problem = broker.problem(terms);
    if (problem != null) {
      throw new NotApplied(problem);
    }
    return broker.open(connection, terms, memory);
  }

  /** Returns why nothing can be published here, and what to do; null if it can. */
  public @Nullable String obstacle(Connection connection) {
    try {
      var _ = of(connection);
      return null;
    } catch (NotApplied e) {
      return e.getMessage();
    }
  }

  @Override
  public void publish(Connection connection, BrokerMessage message, Duration timeout)
      throws Exception {
    QueuePublisher publisher = publisher(connection);
    try {
      publisher.publish(message, timeout);
    } catch (Rejected e) {
      throw e;
    } catch (Exception | Error e) {
      if (!publisher.isUsable()) {
        forget(connection, publisher);
      }
      throw e;
    }
  }

  private QueuePublisher publisher(Connection connection) throws Exception {
    QueueBroker broker = of(connection);
    Way way = ways.computeIfAbsent(connection.name(), _ -> new Way());
    synchronized (way) {
      Opened found = way.opened.get();
      if (found != null && found.connection().equals(connection) && !isClosed) {
        return found.publisher();
      }
      close(way);
      if (isClosed) {
        throw closed();
      }
      QueuePublisher opened = broker.publisher(connection);
      way.opened.set(new Opened(connection, opened));
      if (isClosed) { // meanwhile: the end of this did not wait for it
        close(way);
        throw closed();
      }
      return opened;
    }
  }

  private static NotApplied closed() {
    return new NotApplied("this server is being stopped: nothing was sent");
  }

  private void forget(Connection connection, QueuePublisher failed) {
    Way way = ways.get(connection.name());
    Opened found = way == null ? null : way.opened.get();
    if (way != null && found != null && found.publisher().equals(failed)) {
      way.opened.compareAndSet(found, null);
    }
    close(failed);
  }

  private static void close(Way way) {
    Opened open = way.opened.getAndSet(null);
    if (open != null) {
      close(open.publisher());
    }
  }

  private static void close(QueuePublisher publisher) {
    try {
      publisher.close();
    } catch (RuntimeException e) { // what it had not sent is sent again
      log.debug("a publisher did not close well", e);
    }
  }

  @Override
  public String visit(Connection connection, Duration timeout) throws Exception {
    return of(connection).visit(connection, timeout);
  }

  private QueueBroker of(Connection connection) {
    for (QueueBroker broker : own) {
      if (broker.serves(connection)) {
        return broker;
      }
    }
    String kind = connection.kind().word();
    if (!ConnectorFolder.KINDS.contains(kind)) {
      throw new NotApplied(
          "connection '%s' is %s, which has no queues. Name a connection of kind %s"
              .formatted(connection.name(), connection.kind().phrase(), kinds()));
    }
    return loaded.computeIfAbsent(kind, one -> ConnectorFolder.provider(one).open(services));
  }

  private static String kinds() {
    return "postgres, kafka, rabbitmq or sqs";
  }

  @Override
  public void close() {
    isClosed = true;
    ways.values().forEach(Brokers::close);
  }
}
