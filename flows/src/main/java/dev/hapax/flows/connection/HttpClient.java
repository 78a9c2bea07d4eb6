package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to connections, through {@link Egress}, once per call. It adds the connection's
 * secrets at the last moment and follows no redirect. Idle connections are kept for a few seconds.
 * Safe for many threads.
 */
public final class HttpClient implements AutoCloseable {
  /** What one attempt reads at most: a large body, and the lines and records around it. */
  private static final long MOST_BYTES = 256L << 20;

  private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final WirePool idle;

  public HttpClient(Egress egress, Secrets secrets, Redaction redaction, Clock clock) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
    this.idle = new WirePool(clock);
  }

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
    try (AttemptBudget budget = egress.begin(timeout, MOST_BYTES)) {
      HttpWire wire = wire(connection, place, budget);
      try {
        if (connection != null) {
          var to =
              SecretRecipient.over(
                  wire.plain(), place.host(), place.port(), place.scheme().equals("https"));
          authorize(connection.auth(), headers, to);
        }
        refuseLineBreaks(headers, place); // those of the connection's secrets too
        wire.send(request.method(), place.target(), headers, body);
        HttpAnswer answer = wire.receive(request.method(), keeper);
        Egress.rest(wire.plain());
        budget.end(); // before the wire may serve another attempt
        idle.giveBack(poolKey(connection, place), wire);
        return answer;
      } catch (IOException e) {
        wire.close();
        throw new AnswerLost(
            redaction.redact(
                "%s %s: the request may have arrived, but no answer was received: %s"
                    .formatted(request.method(), place.key(), budget.explained(e).getMessage())),
            e);
      } catch (RuntimeException e) {
        wire.close(); // a secret may not go there, or the large body could not be stored
        throw e;
      }
    }
  }

  private static Place place(Connection.@Nullable Http connection, String target) {
    URI uri;
    try {
      uri = connection == null ? URI.create(target) : below(connection.base(), target);
    } catch (IllegalArgumentException e) {
      throw new Rejected(
          "bad-address", "'%s' is not a valid address: %s".formatted(target, e.getMessage()), e);
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
    refuseWireHeaders(request.headers(), "the step");
    refuseWireHeaders(more, "the guard");
    if (connection != null) {
      refuseWireHeaders(connection.headers(), "connection '%s'".formatted(connection.name()));
    }
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
    return headers;
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

  /** Header names ignore case. */
  private static void put(Map<String, String> headers, String name, String value) {
    headers.keySet().removeIf(known -> known.equalsIgnoreCase(name));
    headers.put(name, value);
  }

  private void authorize(Connection.Auth auth, Map<String, String> headers, SecretRecipient to) {
    switch (auth) {
      case Connection.Auth.None _ -> {}
      case Connection.Auth.Bearer(var name) ->
          put(headers, "Authorization", "Bearer " + secret(name, to));
      case Connection.Auth.Basic(var user, var name) -> {
        String pair = user + ":" + secret(name, to);
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        redaction.hide(encoded);
        put(headers, "Authorization", "Basic " + encoded);
      }
      case Connection.Auth.Header(var header, var name) -> put(headers, header, secret(name, to));
    }
  }

  private String secret(String name, SecretRecipient to) {
    return secrets.use(name, to, redaction);
  }

  private static void refuseLineBreaks(Map<String, String> headers, Place place) {
    headers.forEach(
        (name, value) -> {
          if (!HEADER_NAME.matcher(name).matches()
              || value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 127)) {
            throw new Rejected(
                "bad-header",
                "header '%s' to %s is not a valid HTTP header".formatted(name, place.key()));
          }
        });
  }

  // ---- connections

  /** Not shared between connections: each reaches only the hosts that it may reach. */
  private static String poolKey(Connection.@Nullable Http connection, Place place) {
    return (connection == null ? "" : connection.name()) + " " + place.key();
  }

  private HttpWire wire(Connection.@Nullable Http connection, Place place, AttemptBudget budget) {
    HttpWire kept = idle.take(poolKey(connection, place));
    if (kept != null) {
      Egress.use(kept.plain(), budget);
      return kept;
    }
    Set<String> privateHosts = connection == null ? Set.of() : connection.privateHosts();
    Duration timeout = connection == null ? Duration.ofSeconds(10) : connection.connectTimeout();
    Socket plain;
    try {
      plain = egress.connect(place.host(), place.port(), timeout, privateHosts, budget);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    Socket socket =
        place.scheme().equals("https")
            ? egress.encrypt(plain, place.host(), place.port(), budget)
            : plain;
    try {
      var fresh = new HttpWire(plain, socket);
      if (fresh.hasUnread()) {
        throw new IOException("it sent an answer before there was a request");
      }
      return fresh;
    } catch (IOException e) {
      Egress.close(plain);
      throw new NotApplied("no connection to %s: %s".formatted(place.key(), e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    idle.close();
  }
}
