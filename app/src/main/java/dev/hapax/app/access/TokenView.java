package dev.hapax.app.access;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The public properties of a token; never the token itself. */
record TokenView(
    String id,
    String name,
    List<String> scopes,
    List<String> roles,
    @Nullable Integer perSecond,
    Instant createdAt,
    String createdBy,
    @Nullable Instant expiresAt,
    @Nullable Instant usedAt,
    @Nullable Instant revokedAt) {

  static TokenView of(Token token) {
    return new TokenView(
        token.id(),
        token.name(),
        token.scopes(),
        token.roles(),
        token.perSecond(),
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
