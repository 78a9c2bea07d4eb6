package dev.hapax.app.http;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;

/** The {@link Entrance} of our own server, which also knows the peer of every request. */
@SuppressWarnings("serial") // never written
final class EntranceFilter extends HttpFilter {
  private static final String PEER = ConnectedPeer.class.getName();

  private final Entrance entrance;
  private final Peers peers;

  EntranceFilter(Entrance entrance, Peers peers) {
    this.entrance = entrance;
    this.peers = peers;
  }

  /** Returns the peer of a request; null if another program's server carries it. */
  static @Nullable ConnectedPeer peerOf(HttpServletRequest request) {
    return request.getAttribute(PEER) instanceof ConnectedPeer peer ? peer : null;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ConnectedPeer peer =
        peers.of(
            ServletContextRequest.getServletContextRequest(request)
                .getConnectionMetaData()
                .getConnection());
    if (peer == null) {
      pass(request, response, chain);
      return;
    }
    Problem refusal = peer.refusal();
    if (refusal != null) {
      Entrance.refuse(refusal, response);
      return;
    }
    request.setAttribute(PEER, peer);
    peer.served(true);
    try {
      pass(request, response, chain);
    } finally {
      peer.served(false);
    }
  }

  private void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest admitted = entrance.admit(request, response);
    if (admitted != null) {
      chain.doFilter(admitted, response);
    }
  }
}
