package dev.hapax.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.FrameHandlerFactory;
import com.rabbitmq.client.impl.SocketFrameHandler;
import dev.hapax.flow.NotApplied;
import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection.RabbitMq;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a RabbitMQ broker. Its socket is one of the way out, so it reaches only what the
 * connection may reach. It does not recover by itself: its user opens another one.
 */
final class RabbitLink implements AutoCloseable {
  /** A larger message ends the connection; brokers of today refuse it by default, too. */
  private static final int LARGEST_MESSAGE = 16 << 20;

  private static final int LIMIT_MILLIS = Math.toIntExact(Duration.ofSeconds(10).toMillis());
  private static final int HEARTBEAT_SECONDS = 20;
  private static final int CLOSING_MILLIS = 2_000;
  private static final String GUEST = "guest";

  /** For all connections: what they do with a delivery is short. */
  private static final ExecutorService DELIVERIES =
      Executors.newFixedThreadPool(
          4, work -> Thread.ofPlatform().daemon().name("hapax-rabbitmq").unstarted(work));

  private final Connection connection;
  private final BrokerWay way;
  private final Socket socket;

  private RabbitLink(Connection connection, BrokerWay way, Socket socket) {
    this.connection = connection;
    this.way = way;
    this.socket = socket;
  }

  /** Connects with sockets that the way out has connected and encrypted. */
  private static final class Factory extends ConnectionFactory {
    private final BrokerWay way;
    private final RabbitMq to;
    private volatile @Nullable Socket connected;

    Factory(BrokerWay way, RabbitMq to) {
      this.way = way;
      this.to = to;
    }

    @Override
    protected synchronized FrameHandlerFactory createFrameHandlerFactory() {
      return (address, name) -> {
        Socket socket = way.connect(to.host(), to.port(), to.privateHosts(), to.tls());
        try {
          socket.setTcpNoDelay(true);
          connected = socket;
          return new SocketFrameHandler(socket, null, LARGEST_MESSAGE);
        } catch (IOException e) {
          socket.close();
          throw e;
        }
      };
    }
  }

  /**
   * Connects and logs in.
   *
   * @throws NotApplied if that is not possible
   */
  static RabbitLink open(BrokerWay way, RabbitMq to) {
    var factory = new Factory(way, to);
    String secret = to.secret();
    String user = to.user();
    factory.setUsername(user == null ? GUEST : user);
    factory.setPassword(
        secret == null
            ? GUEST
            : way.secret(secret, to.host(), to.port(), to.privateHosts(), to.tls()));
    factory.setVirtualHost(to.vhost());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setHandshakeTimeout(LIMIT_MILLIS);
    factory.setChannelRpcTimeout(LIMIT_MILLIS);
    factory.setShutdownTimeout(CLOSING_MILLIS);
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    factory.setSharedExecutor(DELIVERIES);
    factory.setMaxInboundMessageBodySize(LARGEST_MESSAGE);
    factory.setThreadFactory(
        work -> Thread.ofPlatform().daemon().name("hapax-rabbitmq-" + to.name()).unstarted(work));
    try {
      Connection connection =
          factory.newConnection(List.of(new Address(to.host(), to.port())), "hapax");
      return new RabbitLink(connection, way, Objects.requireNonNull(factory.connected));
    } catch (PossibleAuthenticationFailureException e) {
      throw new NotApplied(
          "RabbitMQ refused the login of user '%s' to virtual host '%s': correct user, secret or vhost of connection '%s'"
              .formatted(factory.getUsername(), to.vhost(), to.name()),
          e);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw new NotApplied(
          way.redact(
              "no connection to RabbitMQ at %s:%d: %s"
                  .formatted(to.host(), to.port(), explained(e))),
          e);
    }
  }

  Channel channel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows no further channel of this connection");
    }
    return channel;
  }

  /** Writes; the connection ends if the broker does not take it in this time. */
  void write(Duration timeout, BrokerWay.Work work) throws IOException {
    way.within(timeout, socket, work);
  }

  void whenBlocked(BlockedListener listener) {
    connection.addBlockedListener(listener);
  }

  Map<String, Object> server() {
    return connection.getServerProperties();
  }

  /** Returns the words of the broker or of the failure. */
  static String explained(Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      if (one instanceof ShutdownSignalException signal && signal.getReason() != null) {
        Method reason = signal.getReason();
        return switch (reason) {
          case AMQP.Channel.Close close -> close.getReplyText();
          case AMQP.Connection.Close close -> close.getReplyText();
          default -> String.valueOf(signal.getMessage());
        };
      }
    }
    Throwable cause = failure.getCause();
    return failure.getMessage() == null && cause != null
        ? explained(cause)
        : String.valueOf(failure.getMessage() == null ? failure : failure.getMessage());
  }

  /** Returns the number of the refusal that closed the channel; 0 if it is another failure. */
  static int codeOf(IOException failure) {
    ShutdownSignalException signal = signal(failure);
    return signal != null && signal.getReason() instanceof AMQP.Channel.Close close
        ? close.getReplyCode()
        : 0;
  }

  private static @Nullable ShutdownSignalException signal(IOException failure) {
    return failure.getCause() instanceof ShutdownSignalException signal ? signal : null;
  }

  /** Gives up; the broker takes back what was not acknowledged. */
  @Override
  public void close() {
    try {
      connection.abort(CLOSING_MILLIS);
    } catch (AlreadyClosedException e) {
      // it was closed by the broker
    }
  }
}
