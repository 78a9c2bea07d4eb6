package dev.hapax.app.access;

import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.TokenScope;
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
 * @param flows which flows it may use, as {@link FlowLimit#stored} reads it; null for all
 * @param scopeVersion which scopes existed when it was made; null if it is older than {@code
 *     connections:use}
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
    @Nullable List<String> flows,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable Instant usedAt,
    @Nullable Instant revokedAt,
    @Nullable Integer scopeVersion) {
  /** Of tokens that are made now. */
  static final int SCOPE_VERSION = 2;

  boolean isGoodAt(Instant now) {
    return revokedAt == null && (expiresAt == null || expiresAt.isAfter(now));
  }

  /** An older token that could release or run drafts keeps the right to name connections. */
  Set<TokenScope> allowed() {
    Set<TokenScope> allowed = scopes.stream().map(TokenScope::of).collect(Collectors.toSet());
    if (scopeVersion == null
        && (allowed.contains(TokenScope.FLOWS_WRITE) || allowed.contains(TokenScope.RUNS_WRITE))) {
      allowed.add(TokenScope.CONNECTIONS_USE);
    }
    return Set.copyOf(allowed);
  }

  FlowLimit limit() {
    return flows == null ? FlowLimit.ALL : FlowLimit.stored(flows);
  }

  Token usedAt(Instant now) {
    return with(now, revokedAt);
  }

  /** The first revocation counts. */
  Token revokedAt(Instant now) {
    return with(usedAt, revokedAt == null ? now : revokedAt);
  }

  private Token with(@Nullable Instant used, @Nullable Instant revoked) {
    return new Token(
        id,
        tenant,
        name,
        hash,
        scopes,
        roles,
        perSecond,
        flows,
        createdAt,
        createdBy,
        expiresAt,
        used,
        revoked,
        scopeVersion);
  }
}
