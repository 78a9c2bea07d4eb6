package dev.hapax.connector.kafka;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.BrokerWay;
import dev.hapax.flows.connection.Connection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that the clients of a connection may reach: those of its servers, and those that
 * the cluster names. A client works with the gate of the thread that made it, and so do the threads
 * that it starts. Safe for many threads.
 */
public final class AddressGate {
  private static final InheritableThreadLocal<@Nullable AddressGate> CURRENT =
      new InheritableThreadLocal<>();

  private final BrokerWay way;
  private final Connection.Kafka connection;
  private volatile @Nullable Rejected refusal;

  AddressGate(BrokerWay way, Connection.Kafka connection) {
    this.way = way;
    this.connection = connection;
  }

  /** Calls the library: its classes are found, and its clients belong to this gate. */
  <T> T call(Callable<T> code) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    AddressGate outer = CURRENT.get();
    thread.setContextClassLoader(AddressGate.class.getClassLoader());
    CURRENT.set(this);
    try {
      return code.call();
    } finally {
      thread.setContextClassLoader(before);
      if (outer == null) {
        CURRENT.remove();
      } else {
        CURRENT.set(outer);
      }
    }
  }

  /** Called by the library, before it connects to a host. */
  public static InetAddress[] resolve(String host) throws UnknownHostException {
    AddressGate gate = CURRENT.get();
    if (gate == null) {
      throw new UnknownHostException("a client that belongs to no connection may reach no host");
    }
    return gate.permitted(host);
  }

  private InetAddress[] permitted(String host) throws UnknownHostException {
    try {
      InetAddress[] all =
          way.addresses(host, connection.privateHosts()).toArray(InetAddress[]::new);
      Connection.Kafka.Login login = connection.login();
      if (login != null) {
        var _ =
            way.secret(
                login.secret(), host, portOf(host), connection.privateHosts(), connection.tls());
      }
      return all;
    } catch (Rejected e) {
      refusal = e;
      throw unknown(e);
    } catch (NotApplied e) {
      throw unknown(e);
    }
  }

  /** The library asks for a host alone; the hosts of a secret may have a port. */
  private int portOf(String host) {
    return connection.servers().stream()
        .filter(server -> server.host().equalsIgnoreCase(host))
        .findFirst()
        .orElse(connection.servers().getFirst())
        .port();
  }

  private static UnknownHostException unknown(RuntimeException why) {
    var unknown = new UnknownHostException(why.getMessage());
    unknown.initCause(why);
    return unknown;
  }

  /** The library only says that a broker cannot be reached; this says why not. */
  void failIfRefused() {
    Rejected found = refusal;
    if (found != null) {
      refusal = null;
      throw found;
    }
  }
}
