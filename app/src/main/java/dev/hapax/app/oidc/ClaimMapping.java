package dev.hapax.app.oidc;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.hapax.app.access.TenantBook;
import dev.hapax.app.config.Settings;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.TokenScope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a caller from the claims of a token. A claim is named as it is, or by a path such as {@code
 * realm_access.roles}.
 */
final class ClaimMapping {
  private static final int LONGEST_NAME = 200;

  private final Settings.Oidc settings;
  private final Map<String, Set<TokenScope>> grants = new HashMap<>();
  private final Predicate<String> tenants;

  /**
   * The mapping of an issuer.
   *
   * @param tenants whether there is a tenant of this name
   */
  ClaimMapping(Settings.Oidc settings, Predicate<String> tenants) {
    this.settings = settings;
    this.tenants = tenants;
    settings
        .grants()
        .forEach(
            (role, words) -> {
              Set<TokenScope> scopes = EnumSet.noneOf(TokenScope.class);
              words.forEach(word -> scopes.add(granted(role, word)));
              grants.put(role, scopes);
            });
  }

  private static TokenScope granted(String role, String word) {
    try {
      return TokenScope.of(word);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("oidc.grants: %s: %s".formatted(role, e.getMessage()), e);
    }
  }

  /** Returns null if the claims name no tenant of this server: there is no other one to fall to. */
  @Nullable Actor actor(JWTClaimsSet claims) {
    String tenant = tenantOf(claims);
    String subject = claims.getSubject();
    if (tenant == null || subject == null || subject.isBlank() || !tenants.test(tenant)) {
      return null;
    }
    List<String> roles = words(claims, settings.rolesClaim(), ",");
    String name = text(claims, settings.nameClaim());
    return new Actor(
        "oidc:" + subject,
        shortened(name == null || name.isBlank() ? subject : name),
        tenant,
        scopes(claims, roles),
        Set.copyOf(roles));
  }

  /** A claim never leads into the operator's tenant: an organization may have any name. */
  private @Nullable String tenantOf(JWTClaimsSet claims) {
    if (settings.tenant() != null) {
      return settings.tenant();
    }
    String named = text(claims, String.valueOf(settings.tenantClaim()));
    return TenantBook.OPERATOR.equals(named) ? null : named;
  }

  /** A word in the token never makes an admin: other systems of the issuer use this word, too. */
  private Set<TokenScope> scopes(JWTClaimsSet claims, List<String> roles) {
    Set<TokenScope> scopes = EnumSet.noneOf(TokenScope.class);
    List<String> words = words(claims, settings.scopesClaim(), " ");
    for (TokenScope scope : TokenScope.values()) {
      if (scope.isGranted() && scope != TokenScope.ADMIN && words.contains(scope.word())) {
        scopes.add(scope);
      }
    }
    roles.forEach(role -> scopes.addAll(grants.getOrDefault(role, Set.of())));
    return scopes;
  }

  private static String shortened(String name) {
    String line = name.replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_NAME ? line : line.substring(0, LONGEST_NAME);
  }

  private static @Nullable String text(JWTClaimsSet claims, String claim) {
    return value(claims, claim) instanceof String text ? text : null;
  }

  /** A list of texts, or one text with separators. */
  private static List<String> words(JWTClaimsSet claims, String claim, String separator) {
    List<String> words = new ArrayList<>();
    switch (value(claims, claim)) {
      case String text -> words.addAll(Arrays.asList(text.split(separator, -1)));
      case Collection<?> list ->
          list.forEach(
              item -> {
                if (item instanceof String text) {
                  words.add(text);
                }
              });
      case null, default -> {}
    }
    words.replaceAll(String::strip);
    words.removeIf(String::isEmpty);
    return words;
  }

  private static @Nullable Object value(JWTClaimsSet claims, String claim) {
    Object direct = claims.getClaim(claim);
    if (direct != null) {
      return direct;
    }
    Object at = claims.getClaims();
    for (String part : claim.split("\\.", -1)) {
      at = at instanceof Map<?, ?> members ? members.get(part) : null;
    }
    return at;
  }
}
