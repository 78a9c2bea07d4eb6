package dev.hapax.app.access;

import dev.hapax.app.http.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is stored: its secret is not.
 *
 * @param name of its user, in histories and in the audit log
 * @param hash SHA-256 of the secret, in hex; the secret has 256 random bits, so no slow hash is
 *     needed
 * @param scopes as words of the public contract
 * @param perSecond how many requests it may make; null for the server's own limit
 * @param usedAt about when it was used last; at most a minute behind
 */
public record Token(
    String id,
    String tenant,
    String name,
    String hash,
    List<String> scopes,
    List<String> roles,
    @Nullable Integer perSecond,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable Instant usedAt,
    @Nullable Instant revokedAt) {

  boolean isGoodAt(Instant now) {
    return revokedAt == null && (expiresAt == null || expiresAt.isAfter(now));
  }

  Set<Scope> allowed() {
    return scopes.stream().map(Scope::of).collect(Collectors.toUnmodifiableSet());
  }

  Token usedAt(Instant now) {
    return new Token(
        id, tenant, name, hash, scopes, roles, perSecond, createdAt, createdBy, expiresAt, now,
        revokedAt);
  }

  /** The first revocation counts. */
  Token revokedAt(Instant now) {
    return new Token(
        id,
        tenant,
        name,
        hash,
        scopes,
        roles,
        perSecond,
        createdAt,
        createdBy,
        expiresAt,
        usedAt,
        revokedAt == null ? now : revokedAt);
  }
}
