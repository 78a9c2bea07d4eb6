package dev.hapax.store.destination;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/**
 * Creates sockets that connect to checked addresses and ignore the name that is asked for: between
 * a check and a connection a name can get another address. The driver creates this class by its
 * name.
 */
public final class PinnedSockets extends SocketFactory {
  private final List<InetAddress> addresses = new ArrayList<>();

  /**
   * Called by the driver.
   *
   * @param addresses numeric, separated by commas
   */
  public PinnedSockets(String addresses) throws IOException {
    for (String address : addresses.split(",", -1)) {
      this.addresses.add(InetAddress.ofLiteral(address));
    }
  }

  @Override
  public Socket createSocket() {
    return new Pinned();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return connected(port);
  }

  private Socket connected(int port) throws IOException {
    Socket socket = createSocket();
    socket.connect(InetSocketAddress.createUnresolved("pinned", port));
    return socket;
  }

  private final class Pinned extends Socket {
    Pinned() {
      super(Proxy.NO_PROXY);
    }

    @Override
    public void connect(SocketAddress wanted) throws IOException {
      connect(wanted, 0);
    }

    /** A socket that failed cannot be used again, so only the first address is tried. */
    @Override
    public void connect(SocketAddress wanted, int timeout) throws IOException {
      if (!(wanted instanceof InetSocketAddress place)) {
        throw new SocketException("expected a host and a port, got " + wanted);
      }
      super.connect(new InetSocketAddress(addresses.getFirst(), place.getPort()), timeout);
    }
  }
}
