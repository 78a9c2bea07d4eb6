package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to connections, through {@link Egress}, once per call. It adds the connection's
 * secrets at the last moment and follows no redirect. Idle connections are kept for a few seconds.
 * Safe for many threads.
 */
public final class HttpClient implements AutoCloseable {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final Duration TRUSTED = Duration.ofMillis(200);
  private static final int MOST_KEPT = 256;

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Clock clock;
  private final Map<String, Deque<Kept>> idle = new ConcurrentHashMap<>();

  public HttpClient(Egress egress, Secrets secrets, Redaction redaction, Clock clock) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
    this.clock = clock;
  }

  private record Kept(HttpWire wire, long since) {}

  /** The parts of an address that a request needs. */
  private record Place(String scheme, String host, int port, String target) {
    String key() {
      return scheme + "://" + host + ":" + port;
    }
  }

  /**
   * Sends once and returns the answer, with any status.
   *
   * @param connection null if the request has a whole address
   * @param more headers that belong to this attempt, such as its key
   * @throws NotApplied if not a byte was written
   * @throws Rejected if it must not be sent at all
   * @throws AnswerLost if it may have arrived
   */
  public HttpAnswer send(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout)
      throws AnswerLost {
    return send(connection, request, more, timeout, null);
  }

  /**
   * As above.
   *
   * @param keeper receives a body that is too large for a value; null if the body is needed at any
   *     size
   */
  public HttpAnswer send(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost {
    Place place = place(connection, request.target());
    Map<String, String> headers = headers(connection, request, more, place);
    byte[] body =
        request.body() == null ? new byte[0] : request.body().getBytes(StandardCharsets.UTF_8);
    if (body.length > 0 || (!request.method().equals("GET") && !request.method().equals("HEAD"))) {
      headers.put("Content-Length", Integer.toString(body.length));
    }
    refuseLineBreaks(headers, place);
    HttpWire wire = wire(connection, place);
    try {
      wire.socket().setSoTimeout(Math.toIntExact(Math.max(1, timeout.toMillis())));
      wire.send(request.method(), place.target(), headers, body);
      HttpAnswer answer = wire.receive(request.method(), keeper);
      giveBack(poolKey(connection, place), wire);
      return answer;
    } catch (IOException e) {
      Egress.close(wire.socket());
      throw new AnswerLost(
          redaction.redact(
              "%s %s: the request may have arrived, and there is no answer: %s"
                  .formatted(request.method(), place.key(), e.getMessage())),
          e);
    } catch (RuntimeException e) {
      Egress.close(wire.socket()); // the large body could not be stored
      throw e;
    }
  }

  private static Place place(Connection.@Nullable Http connection, String target) {
    URI uri;
    try {
      uri = connection == null ? URI.create(target) : below(connection.base(), target);
    } catch (IllegalArgumentException e) {
      throw new Rejected(
          "bad-address", "'%s' is no address: %s".formatted(target, e.getMessage()), e);
    }
    String scheme = uri.getScheme();
    String host = uri.getHost();
    if (host == null
        || scheme == null
        || !(scheme.equals("http") || scheme.equals("https"))
        || uri.getRawUserInfo() != null) {
      throw new Rejected(
          "bad-address",
          "expected an address with http or https and a host, got '%s'".formatted(target));
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery();
    return new Place(scheme, host, port, query == null ? path : path + "?" + query);
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

  private Map<String, String> headers(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Place place) {
    var headers = new LinkedHashMap<String, String>();
    boolean usualPort = place.port() == (place.scheme().equals("https") ? 443 : 80);
    headers.put("Host", usualPort ? place.host() : place.host() + ":" + place.port());
    headers.put("User-Agent", "hapax");
    headers.put("Accept", "*/*");
    headers.put("Accept-Encoding", "identity");
    if (connection != null) {
      headers.putAll(connection.headers());
    }
    request.headers().forEach((name, value) -> put(headers, name, value));
    more.forEach((name, value) -> put(headers, name, value));
    if (connection != null) {
      authorize(connection.auth(), headers);
    }
    return headers;
  }

  /** Header names ignore case. */
  private static void put(Map<String, String> headers, String name, String value) {
    headers.keySet().removeIf(known -> known.equalsIgnoreCase(name));
    headers.put(name, value);
  }

  private void authorize(Connection.Auth auth, Map<String, String> headers) {
    switch (auth) {
      case Connection.Auth.None _ -> {}
      case Connection.Auth.Bearer(var name) ->
          put(headers, "Authorization", "Bearer " + secret(name));
      case Connection.Auth.Basic(var user, var name) -> {
        String pair = user + ":" + secret(name);
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        redaction.hide(encoded);
        put(headers, "Authorization", "Basic " + encoded);
      }
      case Connection.Auth.Header(var header, var name) -> put(headers, header, secret(name));
    }
  }

  private String secret(String name) {
    return secrets.use(name, redaction);
  }

  private static void refuseLineBreaks(Map<String, String> headers, Place place) {
    headers.forEach(
        (name, value) -> {
          if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
              || value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127)) {
            throw new Rejected(
                "bad-header", "header '%s' to %s is no header".formatted(name, place.key()));
          }
        });
  }

  // ---- connections

  /** Not shared between connections: each reaches only the hosts that it may reach. */
  private static String poolKey(Connection.@Nullable Http connection, Place place) {
    return (connection == null ? "" : connection.name()) + " " + place.key();
  }

  private HttpWire wire(Connection.@Nullable Http connection, Place place) {
    Set<String> privateHosts = connection == null ? Set.of() : connection.privateHosts();
    HttpWire kept = take(poolKey(connection, place));
    if (kept != null) {
      return kept;
    }
    Duration timeout = connection == null ? Duration.ofSeconds(10) : connection.connectTimeout();
    Socket socket;
    try {
      socket = egress.connect(place.host(), place.port(), timeout, privateHosts);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    if (place.scheme().equals("https")) {
      socket = egress.encrypt(socket, place.host(), place.port(), timeout);
    }
    try {
      return new HttpWire(socket);
    } catch (IOException e) {
      Egress.close(socket);
      throw new NotApplied("no connection to %s: %s".formatted(place.key(), e.getMessage()), e);
    }
  }

  /** Skips connections that the server may have closed meanwhile: a request must not be lost. */
  private @Nullable HttpWire take(String key) {
    Deque<Kept> kept = idle.get(key);
    while (kept != null) {
      Kept newest;
      synchronized (kept) {
        newest = kept.pollFirst();
      }
      if (newest == null) {
        return null;
      }
      long nanos = clock.nanos() - newest.since();
      boolean fresh =
          nanos < TRUSTED.toNanos()
              ? !newest.wire().hasUnread()
              : nanos < KEPT.toNanos() && !newest.wire().isStale();
      if (fresh) {
        return newest.wire();
      }
      Egress.close(newest.wire().socket());
    }
    return null;
  }

  private void giveBack(String key, HttpWire wire) {
    if (!wire.isReusable()) {
      Egress.close(wire.socket());
      return;
    }
    Deque<Kept> kept = idle.computeIfAbsent(key, _ -> new ArrayDeque<>());
    Kept surplus = null;
    synchronized (kept) {
      kept.addFirst(new Kept(wire, clock.nanos()));
      if (kept.size() > MOST_KEPT) {
        surplus = kept.pollLast();
      }
    }
    if (surplus != null) {
      Egress.close(surplus.wire().socket());
    }
  }

  @Override
  public void close() {
    for (Deque<Kept> kept : idle.values()) {
      synchronized (kept) {
        kept.forEach(one -> Egress.close(one.wire().socket()));
        kept.clear();
      }
    }
  }
}
