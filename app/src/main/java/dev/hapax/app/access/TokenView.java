package dev.hapax.app.access;

import dev.hapax.app.http.FlowLimit;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The public properties of a token; never the token itself.
 *
 * @param flows names of flows that it may use, or their beginnings; null if it is not limited by
 *     names
 * @param labels it may also use flows with one of these; null if it is not limited by labels
 */
record TokenView(
    String id,
    String name,
    List<String> scopes,
    List<String> roles,
    @Nullable Integer perSecond,
    @Nullable List<String> flows,
    @Nullable List<String> labels,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable Instant usedAt,
    @Nullable Instant revokedAt) {

  static TokenView of(Token token) {
    FlowLimit limit = token.limit();
    return new TokenView(
        token.id(),
        token.name(),
        token.scopes(),
        token.roles(),
        token.perSecond(),
        limit.names().isEmpty() ? null : limit.names(),
        limit.labels().isEmpty() ? null : limit.labels(),
        token.createdAt(),
        token.createdBy(),
        token.expiresAt(),
        token.usedAt(),
        token.revokedAt());
  }

  /** A new token; its text is shown this once. */
  record Created(String id, String token, TokenView details) {
    static Created of(TokenBook.Made made) {
      return new Created(made.token().id(), made.text(), TokenView.of(made.token()));
    }
  }
}
