package dev.hapax.flows.connection;

import dev.hapax.flow.Rejected;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request as it leaves: its whole address, and all its headers but those with secrets.
 * Refuses what must not be sent. Of one thread.
 */
public final class OutgoingRequest {
  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private final String scheme;
  private final String host;
  private final int port;
  private final String target;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final byte[] body;

  private OutgoingRequest(URI uri, @Nullable String body) {
    this.scheme = String.valueOf(uri.getScheme());
    this.host = String.valueOf(uri.getHost());
    this.port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery();
    this.target = query == null ? path : path + "?" + query;
    this.body = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns a request that may be sent.
   *
   * @param connection null if the request has a whole address
   * @param more headers that belong to this attempt, such as its key
   * @throws Rejected if it must not be sent at all
   */
  public static OutgoingRequest of(
      Connection.@Nullable Http connection, HttpRequest request, Map<String, String> more) {
    var outgoing = new OutgoingRequest(address(connection, request.target()), request.body());
    outgoing.putAll(connection, request, more);
    if (outgoing.body.length > 0
        || (!request.method().equals("GET") && !request.method().equals("HEAD"))) {
      outgoing.headers.put("Content-Length", Integer.toString(outgoing.body.length));
    }
    outgoing.refuseLineBreaks();
    return outgoing;
  }

  boolean isEncrypted() {
    return scheme.equals("https");
  }

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  /** The path and the query. */
  String target() {
    return target;
  }

  /** The server that it goes to. */
  String server() {
    return scheme + "://" + host + ":" + port;
  }

  /** The whole address, without the port that the scheme implies. */
  public String url() {
    return scheme + "://" + hostAndPort() + target;
  }

  private String hostAndPort() {
    return port == (isEncrypted() ? 443 : 80) ? host : host + ":" + port;
  }

  public Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  private static URI address(Connection.@Nullable Http connection, String target) {
    URI uri;
    try {
      uri = connection == null ? URI.create(target) : below(connection.base(), target);
    } catch (IllegalArgumentException e) {
      throw new Rejected(
          "bad-address", "'%s' is not a valid address: %s".formatted(target, e.getMessage()), e);
    }
    String scheme = uri.getScheme();
    if (uri.getHost() == null
        || scheme == null
        || !(scheme.equals("http") || scheme.equals("https"))
        || uri.getRawUserInfo() != null) {
      throw new Rejected(
          "bad-address",
          "expected an address with http or https and a host, got '%s'".formatted(target));
    }
    return uri;
  }

  /** The path of a step stays below the base address: it cannot name another host. */
  private static URI below(URI base, String target) {
    String start = base.toString();
    String trimmed = start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
    String path =
        target.isEmpty() || target.startsWith("/") || target.startsWith("?")
            ? target
            : "/" + target;
    URI whole = URI.create(trimmed + path);
    if (!String.valueOf(base.getAuthority()).equals(whole.getAuthority())) {
      throw new IllegalArgumentException("the path leaves the connection's host");
    }
    return whole;
  }

  private void putAll(
      Connection.@Nullable Http connection, HttpRequest request, Map<String, String> more) {
    refuseWireHeaders(request.headers(), "the step");
    refuseWireHeaders(more, "the guard");
    if (connection != null) {
      refuseWireHeaders(connection.headers(), "connection '%s'".formatted(connection.name()));
    }
    headers.put("Host", hostAndPort());
    headers.put("User-Agent", "hapax");
    headers.put("Accept", "*/*");
    headers.put("Accept-Encoding", "identity");
    if (connection != null) {
      headers.putAll(connection.headers());
    }
    request.headers().forEach(this::put);
    more.forEach(this::put);
  }

  private static void refuseWireHeaders(Map<String, String> headers, String origin) {
    for (String name : headers.keySet()) {
      if (WireHeaders.contains(name)) {
        throw new Rejected(
            "bad-header",
            "%s sets the header '%s', which only Hapax writes: nothing was sent. Remove it."
                .formatted(origin, name));
      }
    }
  }

  /** Sets a header; header names ignore case. */
  void put(String name, String value) {
    headers.keySet().removeIf(known -> known.equalsIgnoreCase(name));
    headers.put(name, value);
  }

  void refuseLineBreaks() {
    headers.forEach(
        (name, value) -> {
          if (!HEADER_NAME.matcher(name).matches()
              || value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127)) {
            throw new Rejected(
                "bad-header",
                "header '%s' to %s is not a valid HTTP header".formatted(name, server()));
          }
        });
  }
}
