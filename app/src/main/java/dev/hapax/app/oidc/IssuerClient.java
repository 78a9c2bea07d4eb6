package dev.hapax.app.oidc;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import dev.hapax.app.tls.PemStores;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.AnswerLost;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Egress;
import dev.hapax.flows.connection.HttpAnswer;
import dev.hapax.flows.connection.HttpClient;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.StatusMeanings;
import dev.hapax.json.Json;
import dev.hapax.time.Clock;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the keys of an issuer, as flows reach other systems: with a deadline, a limit on bytes, no
 * redirects. Private addresses are closed but for the issuer's own host, which the operator named.
 */
final class IssuerClient {
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final int SMALLEST_RSA = 2048;

  private final URI issuer;
  private final HttpClient client;

  /**
   * A client of this issuer.
   *
   * @param authorities of its certificate; null for those of the system
   */
  IssuerClient(URI issuer, @Nullable Path authorities, Clock clock) throws IOException {
    this.issuer = issuer;
    Egress egress = Egress.system();
    this.client =
        new HttpClient(
            authorities == null
                ? egress
                : egress.trusting(PemStores.client(authorities, null).getSocketFactory()),
            _ -> Optional.empty(),
            new Redaction(),
            clock);
  }

  /** Where a login goes: the browser to the first address, this server to the second. */
  record Doors(URI authorization, URI token) {}

  /** Reads where a login goes. */
  Doors doors() throws IOException {
    JsonNode about = about();
    return new Doors(place(about, "authorization_endpoint"), place(about, "token_endpoint"));
  }

  /** Reads where the keys are, and the keys. */
  JWKSet keys() throws IOException {
    JsonNode about = about();
    try {
      JWKSet all = JWKSet.parse(read(place(about, "jwks_uri")));
      return new JWKSet(
          all.toPublicJWKSet().getKeys().stream().filter(IssuerClient::isStrong).toList());
    } catch (ParseException e) {
      throw new IOException("the issuer's keys are unreadable: " + e.getMessage(), e);
    }
  }

  private JsonNode about() throws IOException {
    String base = issuer.toString().replaceFirst("/$", "");
    JsonNode about = Json.tree(read(URI.create(base + "/.well-known/openid-configuration")));
    String name = about.path("issuer").asString("");
    if (!name.equals(issuer.toString())) {
      throw new IOException(
          "expected the issuer '%s', but its configuration is of '%s'".formatted(issuer, name));
    }
    return about;
  }

  private static boolean isStrong(JWK key) {
    return !(key instanceof RSAKey) || key.size() >= SMALLEST_RSA;
  }

  private URI place(JsonNode about, String name) throws IOException {
    String text = about.path(name).asString("");
    try {
      URI place = URI.create(text);
      boolean isSafe = "https".equals(place.getScheme()) || "http".equals(issuer.getScheme());
      if (place.getHost() != null && isSafe) {
        return place;
      }
    } catch (IllegalArgumentException e) {
      // the same message for both
    }
    throw new IOException("%s: expected an encrypted address, got '%s'".formatted(name, text));
  }

  private String read(URI address) throws IOException {
    HttpAnswer answer = send(address, "GET", Map.of("Accept", "application/json"), null);
    if (answer.status() != 200) {
      throw new IOException("%s answered %d".formatted(address, answer.status()));
    }
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** Posts a form; returns the answer with any status. */
  HttpAnswer post(URI address, Map<String, String> headers, String form) throws IOException {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Accept", "application/json");
    all.put("Content-Type", "application/x-www-form-urlencoded");
    return send(address, "POST", all, form);
  }

  private HttpAnswer send(
      URI address, String method, Map<String, String> headers, @Nullable String body)
      throws IOException {
    Connection.Http connection =
        new Connection.Http(
            "oidc",
            URI.create(address.getScheme() + "://" + address.getRawAuthority()),
            new Connection.Auth.None(),
            Map.of(),
            Idempotency.USUAL,
            DEADLINE,
            Set.of(String.valueOf(issuer.getHost()).replaceAll("[\\[\\]]", "")),
            StatusMeanings.USUAL,
            ConnectionLimits.NONE,
            null);
    String query = address.getRawQuery();
    String target = address.getRawPath() + (query == null ? "" : "?" + query);
    try {
      return client.send(
          connection,
          new HttpRequest(null, method, target, headers, body),
          Map.of(),
          DEADLINE,
          (_, _) -> {
            throw new Rejected("too-large", "the answer is too large");
          });
    } catch (AnswerLost | NotApplied | Rejected e) {
      throw new IOException("%s: %s".formatted(address, e.getMessage()), e);
    }
  }
}
