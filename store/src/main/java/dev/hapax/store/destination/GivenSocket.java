package dev.hapax.store.destination;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import javax.net.SocketFactory;

/**
 * Gives the driver the one socket that was opened for it, and refuses to open another: an address
 * that the driver looks up could be another one than the one that was checked. The driver creates
 * this class by its name.
 */
public final class GivenSocket extends SocketFactory {
  private static final ScopedValue<Socket> GIVEN = ScopedValue.newInstance();

  private final Socket socket;
  private boolean isTaken;

  /** Called by the driver. */
  public GivenSocket() throws IOException {
    if (!GIVEN.isBound()) {
      throw new SocketException("no socket was opened for this connection");
    }
    this.socket = GIVEN.get();
  }

  /** Calls the driver, which may use this socket. */
  static <T, X extends Exception> T with(Socket socket, ScopedValue.CallableOp<T, X> call)
      throws X {
    return ScopedValue.where(GIVEN, socket).call(call);
  }

  @Override
  public Socket createSocket() throws IOException {
    if (isTaken) {
      throw new SocketException("the connection broke, and is not opened again here");
    }
    isTaken = true;
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket();
  }
}
