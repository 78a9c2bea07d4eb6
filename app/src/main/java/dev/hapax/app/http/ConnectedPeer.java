package dev.hapax.app.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.jspecify.annotations.Nullable;

/** One connection, and whether its peer is about to say something. */
final class ConnectedPeer {
  private final Connection connection;
  private final String owner;
  private volatile boolean isServed;
  private volatile boolean isSending;
  private volatile @Nullable Problem refusal;

  // Guarded by this.
  private long messages;
  private long bytes;
  private long bytesAtLook;
  private long since = System.nanoTime();
  private int drips;

  ConnectedPeer(Connection connection) {
    this.connection = connection;
    SocketAddress address = connection.getEndPoint().getRemoteSocketAddress();
    this.owner =
        address instanceof InetSocketAddress internet && internet.getAddress() != null
            ? PeerAddress.owner(internet.getAddress().getHostAddress())
            : "";
  }

  /** Returns the owner of its address. */
  String owner() {
    return owner;
  }

  /** One of its requests is being answered. */
  void served(boolean now) {
    isServed = now;
  }

  /** The server waits for more of a body. */
  void sending(boolean now) {
    isSending = now;
  }

  /** Its next request is answered with this, and the last one. */
  void refuse(Problem problem) {
    refusal = problem;
  }

  @Nullable Problem refusal() {
    return refusal;
  }

  /** Returns for how long the server has been waiting for it, in nanoseconds; 0 if it does not. */
  synchronized long silentFor(long now) {
    note(now);
    return isServed && !isSending ? 0 : now - since;
  }

  /** Counts looks at which it had sent bytes, but no whole request. */
  synchronized int drips(long now) {
    long messagesNow = connection.getMessagesIn();
    note(now);
    boolean isDripping =
        messagesNow == messages && connection.getMessagesOut() >= messages && bytes > bytesAtLook;
    messages = messagesNow;
    bytesAtLook = bytes;
    drips = isDripping ? drips + 1 : 0;
    return drips;
  }

  private void note(long now) {
    long bytesNow = bytesIn();
    if (bytesNow != bytes) {
      bytes = bytesNow;
      since = now;
    }
  }

  /** With TLS also those of the handshake. */
  private long bytesIn() {
    return connection.getEndPoint() instanceof SslConnection.SslEndPoint encrypted
        ? encrypted.getSslConnection().getBytesIn()
        : connection.getBytesIn();
  }

  /** Ends it if it is silent for this long. */
  void endIfSilentFor(Duration silence) {
    connection.getEndPoint().setIdleTimeout(silence.toMillis());
  }

  void disconnect() {
    connection.getEndPoint().close();
  }
}
