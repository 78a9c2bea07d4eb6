package dev.hapax.app.secret;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.flows.connection.WireHeaders;
import dev.hapax.flows.expression.Durations;
import dev.hapax.json.Text;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A connection as people write it: exactly one of the kinds. It holds secrets by name only, and has
 * no place for a value.
 */
public record ConnectionForm(
    @Nullable Http http,
    @Nullable Webhook webhook,
    @Nullable Smtp smtp,
    @Nullable Postgres postgres) {
  /** An HTTP service. */
  public record Http(
      @Nullable String base,
      @Nullable Auth auth,
      @Nullable Map<String, String> headers,
      @Nullable Keys idempotency,
      @Nullable String connectTimeout,
      @Nullable Set<Integer> notApplied,
      @Nullable Set<Integer> alreadyDone,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits,
      @Nullable String test) {}

  /** The credential of a request; at most one. */
  public record Auth(@Nullable String bearer, @Nullable Basic basic, @Nullable Header header) {}

  /** User and the name of the secret. */
  public record Basic(@Nullable String user, @Nullable String secret) {}

  /** A header and the name of the secret in it. */
  public record Header(@Nullable String name, @Nullable String secret) {}

  /** How the destination removes duplicates: a known provider, or spelled out. */
  public record Keys(
      @Nullable String provider,
      @Nullable String header,
      @Nullable String bodyField,
      @Nullable String window,
      @Nullable String stores,
      @Nullable String replayHeader,
      @Nullable Set<Integer> inFlight,
      @Nullable Set<Integer> keyReused,
      @Nullable Set<Integer> refusals) {}

  /** The limits of the destination. */
  public record Limits(@Nullable Pace rate, @Nullable Integer calls, @Nullable Break breaker) {}

  /** A number of calls in a period. */
  public record Pace(@Nullable Integer limit, @Nullable String per) {}

  /** A pause after a number of failures in a row. */
  public record Break(@Nullable Integer failures, @Nullable String pause) {}

  /** A receiver of published messages. */
  public record Webhook(
      @Nullable String url,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A mail server. */
  public record Smtp(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String tls,
      @Nullable String from,
      @Nullable String user,
      @Nullable String secret,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** A PostgreSQL database. */
  public record Postgres(
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String database,
      @Nullable String user,
      @Nullable String secret,
      @Nullable String tls,
      @Nullable Set<String> privateHosts,
      @Nullable Limits limits) {}

  /** Returns the connection; refuses an unusable form, with what was expected. */
  public Connection toConnection(String name) {
    long given = Stream.of(http, webhook, smtp, postgres).filter(Objects::nonNull).count();
    if (given != 1) {
      throw new IllegalArgumentException(
          "connection '%s': expected one of http, webhook, smtp and postgres, got %d"
              .formatted(name, given));
    }
    if (http != null) {
      return http(name, http);
    }
    if (webhook != null) {
      return webhook(name, webhook);
    }
    return smtp != null ? smtp(name, smtp) : postgres(name, Objects.requireNonNull(postgres));
  }

  /** Connections that were written before may still have such headers. */
  void refuseHeaders() {
    Map<String, String> headers = http == null ? null : http.headers();
    if (headers == null) {
      return;
    }
    for (String header : headers.keySet()) {
      if (WireHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "http.headers: '%s' says where a request begins or ends, and only Hapax writes it. Remove it."
                .formatted(header));
      }
      if (CredentialHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "http.headers: '%s' carries a credential, which would be stored readable. Use http.auth and a secret."
                .formatted(header));
      }
    }
  }

  /** Returns the names of the secrets that it uses. */
  Set<String> secrets() {
    Auth auth = http == null ? null : http.auth();
    return Stream.of(
            auth == null ? null : auth.bearer(),
            auth == null || auth.basic() == null ? null : auth.basic().secret(),
            auth == null || auth.header() == null ? null : auth.header().secret(),
            webhook == null ? null : webhook.secret(),
            smtp == null ? null : smtp.secret(),
            postgres == null ? null : postgres.secret())
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
  }

  /** Returns the host that it leads to, in lower case; null if it names none. */
  @Nullable String host() {
    String url = http != null ? http.base() : webhook != null ? webhook.url() : null;
    String host = smtp != null ? smtp.host() : postgres != null ? postgres.host() : null;
    if (url != null) {
      host = URI.create(url).getHost();
    }
    return host == null ? null : host.toLowerCase(Locale.ROOT);
  }

  /** Returns the hosts in private networks that it wants to reach. */
  Set<String> privateHosts() {
    Set<String> hosts = http != null ? http.privateHosts() : null;
    hosts = webhook != null ? webhook.privateHosts() : hosts;
    hosts = smtp != null ? smtp.privateHosts() : hosts;
    hosts = postgres != null ? postgres.privateHosts() : hosts;
    return hosts == null ? Set.of() : hosts;
  }

  private static Connection http(String name, Http form) {
    Map<String, String> headers = form.headers() == null ? Map.of() : form.headers();
    return new Connection.Http(
        name,
        address("http.base", form.base()),
        auth(form.auth()),
        headers,
        keys(form.idempotency()),
        time("http.connectTimeout", form.connectTimeout(), Duration.ofSeconds(10)),
        orEmpty(form.privateHosts()),
        new StatusMeanings(
            orEmpty(form.notApplied()), orEmpty(form.alreadyDone()), orEmpty(form.inFlight())),
        limits(form.limits()),
        testPath(form.test()));
  }

  private static @Nullable String testPath(@Nullable String path) {
    if (path != null && !path.matches("/[!-~]{0,499}")) {
      throw new IllegalArgumentException(
          "http.test: expected a path such as /health, of at most 500 characters without spaces, got '%s'"
              .formatted(Text.storable(path)));
    }
    return path;
  }

  private static Connection webhook(String name, Webhook form) {
    return new Connection.Webhook(
        name,
        address("webhook.url", form.url()),
        form.secret(),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection smtp(String name, Smtp form) {
    Connection.Smtp.Tls tls =
        switch (form.tls() == null ? "implicit" : form.tls()) {
          case "implicit" -> Connection.Smtp.Tls.IMPLICIT;
          case "starttls" -> Connection.Smtp.Tls.STARTTLS;
          case "none" -> Connection.Smtp.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "smtp.tls: expected implicit, starttls or none, got '%s'".formatted(form.tls()));
        };
    int port = port("smtp.port", form.port(), tls == Connection.Smtp.Tls.IMPLICIT ? 465 : 587);
    return new Connection.Smtp(
        name,
        host("smtp.host", inBrackets(given("smtp.host", form.host()))),
        port,
        tls,
        given("smtp.from", form.from()),
        form.user(),
        form.secret(),
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static Connection postgres(String name, Postgres form) {
    String host = host("postgres.host", form.host());
    Connection.Postgres.Tls tls =
        switch (form.tls() == null ? "verified" : form.tls()) {
          case "verified" -> Connection.Postgres.Tls.VERIFIED;
          case "required" -> Connection.Postgres.Tls.REQUIRED;
          case "none" -> Connection.Postgres.Tls.NONE;
          default ->
              throw new IllegalArgumentException(
                  "postgres.tls: expected verified, required or none, got '%s'"
                      .formatted(form.tls()));
        };
    return new Connection.Postgres(
        name,
        host,
        port("postgres.port", form.port(), 5432),
        given("postgres.database", form.database()),
        given("postgres.user", form.user()),
        form.secret(),
        tls,
        orEmpty(form.privateHosts()),
        limits(form.limits()));
  }

  private static String inBrackets(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  /** A line break or an escape in it could mean another host to another reader. */
  private static String host(String what, @Nullable String text) {
    String host = given(what, text);
    if (!host.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
      throw new IllegalArgumentException(
          "%s: expected a name, or an address such as 192.0.2.1 or [2001:db8::1], got '%s'"
              .formatted(what, Text.storable(host)));
    }
    return host;
  }

  private static int port(String what, @Nullable Integer given, int usual) {
    int port = given == null ? usual : given;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(what + ": expected 1 to 65535, got " + port);
    }
    return port;
  }

  private static Connection.Auth auth(@Nullable Auth form) {
    if (form == null) {
      return new Connection.Auth.None();
    }
    if (Stream.of(form.bearer(), form.basic(), form.header()).filter(Objects::nonNull).count()
        != 1) {
      throw new IllegalArgumentException("http.auth: expected one of bearer, basic and header");
    }
    if (form.bearer() != null) {
      return new Connection.Auth.Bearer(form.bearer());
    }
    Basic basic = form.basic();
    if (basic != null) {
      return new Connection.Auth.Basic(
          given("http.auth.basic.user", basic.user()),
          given("http.auth.basic.secret", basic.secret()));
    }
    Header header = Objects.requireNonNull(form.header());
    return new Connection.Auth.Header(
        given("http.auth.header.name", header.name()),
        given("http.auth.header.secret", header.secret()));
  }

  private static Idempotency keys(@Nullable Keys form) {
    if (form == null) {
      return Idempotency.USUAL;
    }
    if (form.provider() != null) {
      Idempotency known = Idempotency.of(form.provider());
      return form.refusals() == null
          ? known
          : known.refusals(form.refusals().toArray(Integer[]::new));
    }
    if ("none".equals(form.stores())) {
      return withoutKeys(form);
    }
    Idempotency.Stores stores =
        switch (form.stores() == null ? "all" : form.stores()) {
          case "all" -> Idempotency.Stores.ALL;
          case "success" -> Idempotency.Stores.SUCCESS;
          default ->
              throw new IllegalArgumentException(
                  "http.idempotency.stores: expected all, success or none, got '%s'"
                      .formatted(form.stores()));
        };
    boolean isInBody = form.bodyField() != null;
    if (isInBody && form.header() != null) {
      throw new IllegalArgumentException(
          "http.idempotency: expected header or bodyField, got both");
    }
    Idempotency usual = Idempotency.USUAL;
    return new Idempotency(
        isInBody ? null : form.header() == null ? usual.header() : form.header(),
        form.bodyField(),
        time("http.idempotency.window", form.window(), usual.window()),
        stores,
        form.replayHeader(),
        form.inFlight() == null ? usual.inFlight() : form.inFlight(),
        form.keyReused() == null ? usual.keyReused() : form.keyReused(),
        form.refusals() == null ? usual.refusals() : form.refusals());
  }

  private static Idempotency withoutKeys(Keys form) {
    var alone = new Keys(null, null, null, null, form.stores(), null, null, null, null);
    if (!form.equals(alone)) {
      throw new IllegalArgumentException(
          "http.idempotency: a destination that stores none takes no keys, so nothing else fits beside it");
    }
    return Idempotency.NONE;
  }

  private static ConnectionLimits limits(@Nullable Limits form) {
    ConnectionLimits limits = ConnectionLimits.NONE;
    if (form == null) {
      return limits;
    }
    Pace pace = form.rate();
    if (pace != null) {
      Duration per = time("limits.rate.per", pace.per(), Duration.ofSeconds(1));
      limits = limits.rate(given("limits.rate.limit", pace.limit()), per);
    }
    Integer calls = form.calls();
    if (calls != null) {
      limits = limits.calls(calls);
    }
    Break pause = form.breaker();
    if (pause != null) {
      Duration length = time("limits.breaker.pause", pause.pause(), Duration.ofSeconds(30));
      limits = limits.breaker(given("limits.breaker.failures", pause.failures()), length);
    }
    return limits;
  }

  /** Refuses a user and password in it: they would be stored readable, and shown. */
  private static URI address(String what, @Nullable String text) {
    try {
      URI address = new URI(given(what, text));
      boolean isHttp = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
      if (isHttp && address.getHost() != null && address.getUserInfo() == null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // falls through to the one message, which does not repeat a possible password
    }
    throw new IllegalArgumentException(
        what + ": expected http:// or https:// and a host, without user and password");
  }

  private static Duration time(String what, @Nullable String text, Duration otherwise) {
    Duration parsed = text == null ? otherwise : Durations.parse(text);
    if (parsed == null || parsed.isZero()) {
      throw new IllegalArgumentException(
          "%s: expected a duration such as '30s' or '24h', got '%s'".formatted(what, text));
    }
    return parsed;
  }

  private static <T> T given(String what, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(what + ": expected a value, got none");
    }
    return value;
  }

  private static <T> Set<T> orEmpty(@Nullable Set<T> some) {
    return some == null ? Set.of() : Set.copyOf(some);
  }
}
