package dev.hapax.app.secret.form;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.flows.connection.WireHeaders;
import dev.hapax.flows.expression.Durations;
import dev.hapax.json.Text;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the fields that several kinds of connections have, and refuses what is unusable. */
final class FormFields {
  static final int LONGEST_LOGIN = 255;

  private FormFields() {}

  static <T> T given(String what, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(what + ": expected a value, got none");
    }
    return value;
  }

  static <T> Set<T> orEmpty(@Nullable Set<T> some) {
    return some == null ? Set.of() : Set.copyOf(some);
  }

  static Duration time(String what, @Nullable String text, Duration otherwise) {
    Duration parsed = text == null ? otherwise : Durations.parse(text);
    if (parsed == null || parsed.isZero()) {
      throw new IllegalArgumentException(
          "%s: expected a duration such as '30s' or '24h', got '%s'".formatted(what, text));
    }
    return parsed;
  }

  /** Refuses a user and password in it: they would be stored readable, and shown. */
  static URI address(String what, @Nullable String text) {
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

  /** A line break or an escape in it could mean another host to another reader. */
  static String host(String what, @Nullable String text) {
    String host = given(what, text);
    if (!host.matches("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]")) {
      throw new IllegalArgumentException(
          "%s: expected a name, or an address such as 192.0.2.1 or [2001:db8::1], got '%s'"
              .formatted(what, Text.storable(host)));
    }
    return host;
  }

  static int port(String what, @Nullable Integer given, int usual) {
    int port = given == null ? usual : given;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(what + ": expected 1 to 65535, got " + port);
    }
    return port;
  }

  static Connection.Encryption encryption(String what, @Nullable String word) {
    return switch (word == null ? "verified" : word) {
      case "verified" -> Connection.Encryption.VERIFIED;
      case "none" -> Connection.Encryption.NONE;
      default ->
          throw new IllegalArgumentException(
              "%s: expected verified or none, got '%s'"
                  .formatted(what, Text.storable(String.valueOf(word))));
    };
  }

  static String user(String what, int longest, @Nullable String text) {
    String user = given(what, text);
    if (!user.matches("[^\\p{Cntrl}\\s]+") || user.length() > longest) {
      throw new IllegalArgumentException(
          "%s: expected a name without spaces, of at most %d characters, got '%s'"
              .formatted(what, longest, Text.storable(user)));
    }
    return user;
  }

  static ConnectionLimits limits(ConnectionForm.@Nullable Limits form) {
    ConnectionLimits limits = ConnectionLimits.NONE;
    if (form == null) {
      return limits;
    }
    ConnectionForm.Pace pace = form.rate();
    if (pace != null) {
      Duration per = time("limits.rate.per", pace.per(), Duration.ofSeconds(1));
      limits = limits.rate(given("limits.rate.limit", pace.limit()), per);
    }
    Integer calls = form.calls();
    if (calls != null) {
      limits = limits.calls(calls);
    }
    ConnectionForm.Break pause = form.breaker();
    if (pause != null) {
      Duration length = time("limits.breaker.pause", pause.pause(), Duration.ofSeconds(30));
      limits = limits.breaker(given("limits.breaker.failures", pause.failures()), length);
    }
    return limits;
  }

  /** Refuses headers that only Hapax writes, and those that carry a credential. */
  static void refuseHeaders(
      String kind, @Nullable Map<String, String> headers, String forCredentials) {
    if (headers == null) {
      return;
    }
    for (String header : headers.keySet()) {
      if (WireHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "%s.headers: '%s' says where a request begins or ends, and only Hapax writes it. Remove it."
                .formatted(kind, header));
      }
      if (CredentialHeaders.contains(header)) {
        throw new IllegalArgumentException(
            "%s.headers: '%s' carries a credential, which would be stored readable. Use %s and a secret."
                .formatted(kind, header, forCredentials));
      }
    }
  }

  /** Returns the host of an address, in lower case. */
  static Set<String> hostOf(@Nullable String address) {
    return lowered(address == null ? null : URI.create(address).getHost());
  }

  static Set<String> lowered(@Nullable String host) {
    return host == null ? Set.of() : Set.of(host.toLowerCase(Locale.ROOT));
  }
}
