package dev.hapax.app.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code oidc}. */
final class OidcSettings {
  /** With public keys only: a shared key would let everybody who checks a token make one. */
  private static final List<String> KNOWN =
      List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

  private static final Set<String> USUAL = Set.of("RS256", "PS256", "ES256");
  private static final Set<String> OWN_PARAMETERS =
      Set.of(
          "client_id",
          "client_secret",
          "code",
          "code_challenge",
          "code_challenge_method",
          "code_verifier",
          "grant_type",
          "nonce",
          "redirect_uri",
          "response_mode",
          "response_type",
          "scope",
          "state");

  private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");

  private final SettingValues values;

  OidcSettings(SettingValues values) {
    this.values = values;
  }

  /** Returns null if nothing of it is given. */
  Settings.@Nullable Oidc read() {
    if (!values.isGiven("oidc.")) {
      return null;
    }
    URI issuer =
        values.optional(
            "oidc.issuer",
            "an address such as https://login.example.com, encrypted unless on this machine",
            OidcSettings::issuer);
    Set<String> audiences = values.value("oidc.audience", "a name", Set.of(), OidcSettings::words);
    String tenant = values.optional("oidc.tenant", "a tenant", text -> text);
    String claim = values.optional("oidc.tenantClaim", "a claim", text -> text);
    Set<String> algorithms =
        values.value(
            "oidc.algorithms",
            "some of " + String.join(", ", KNOWN),
            USUAL,
            OidcSettings::algorithms);
    if (!values.isGiven("oidc.issuer")) {
      values.refuse("oidc.issuer: expected the address of the issuer");
    }
    if (audiences.isEmpty()) {
      values.refuse(
          "oidc.audience: expected the audience that the issuer puts into tokens for this server");
    }
    if ((tenant == null) == (claim == null)) {
      values.refuse(
          "oidc: expected either oidc.tenant, the tenant of all callers, or oidc.tenantClaim, the claim that names it");
    }
    return issuer == null
        ? null
        : new Settings.Oidc(
            issuer,
            audiences,
            values.length("oidc.skew", Duration.ofMinutes(1)),
            algorithms,
            tenant,
            claim,
            values.value("oidc.nameClaim", "a claim", "sub", text -> text),
            values.value("oidc.rolesClaim", "a claim", "roles", text -> text),
            values.value("oidc.scopesClaim", "a claim", "scope", text -> text),
            values.value(
                "oidc.grants", "role=scope scope, role=scope", Map.of(), OidcSettings::grants),
            values.optional("oidc.ca", "a PEM file", Path::of),
            login());
  }

  private Settings.@Nullable OidcLogin login() {
    String client = values.optional("oidc.clientId", "the id of a client", OidcSettings::word);
    String secret = values.optional("oidc.clientSecret", "the client's secret", text -> text);
    String scopes =
        values.value("oidc.loginScopes", "scopes with openid", "openid", OidcSettings::scopes);
    Map<String, String> parameters =
        values.value(
            "oidc.loginParameters",
            "name=value, name=value, none of those that the login itself sends",
            Map.of(),
            OidcSettings::parameters);
    if (client == null) {
      for (String name : List.of("clientSecret", "loginScopes", "loginParameters")) {
        if (values.isGiven("oidc." + name)) {
          values.refuse("oidc.%s: expected oidc.clientId beside it".formatted(name));
        }
      }
      return null;
    }
    return new Settings.OidcLogin(client, secret, scopes, parameters);
  }

  private static String word(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException();
    }
    return text;
  }

  private static String scopes(String text) {
    if (!List.of(text.split(" ", -1)).contains("openid")) {
      throw new IllegalArgumentException();
    }
    return text;
  }

  private static Map<String, String> parameters(String text) {
    Map<String, String> pairs = SettingValues.pairs(text);
    if (pairs.keySet().stream().anyMatch(OWN_PARAMETERS::contains)) {
      throw new IllegalArgumentException();
    }
    return pairs;
  }

  /** Compared letter by letter with what tokens say, so it is taken as it is written. */
  private static URI issuer(String text) {
    URI issuer = URI.create(text);
    boolean isSafe =
        "https".equals(issuer.getScheme())
            || ("http".equals(issuer.getScheme()) && LOCAL.contains(issuer.getHost()));
    if (issuer.getHost() == null
        || !isSafe
        || issuer.getRawQuery() != null
        || issuer.getRawUserInfo() != null) {
      throw new IllegalArgumentException();
    }
    return issuer;
  }

  private static Set<String> words(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static Set<String> algorithms(String text) {
    Set<String> words = words(text);
    if (words.isEmpty() || !KNOWN.containsAll(words)) {
      throw new IllegalArgumentException();
    }
    return words;
  }

  private static Map<String, Set<String>> grants(String text) {
    Map<String, Set<String>> grants = new HashMap<>();
    SettingValues.pairs(text)
        .forEach(
            (role, scopes) ->
                grants.put(
                    role,
                    Arrays.stream(scopes.split("\\s+", -1))
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.toUnmodifiableSet())));
    return grants;
  }
}
