package dev.hapax.flows.connection;

import java.util.Locale;
import java.util.Set;

/**
 * The headers that say where a request begins and ends, and over which connection it goes. Only the
 * client writes them: a second opinion about them would let one request contain another.
 */
public final class WireHeaders {
  private static final Set<String> NAMES =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "http2-settings");

  private WireHeaders() {}

  /** Whether neither a step nor a connection may set this header. */
  public static boolean contains(String name) {
    return NAMES.contains(name.strip().toLowerCase(Locale.ROOT));
  }
}
