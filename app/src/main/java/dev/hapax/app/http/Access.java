package dev.hapax.app.http;

import org.jspecify.annotations.Nullable;

/** Who a token belongs to. Asked at every request, from any thread. */
@FunctionalInterface
public interface Access {
  /**
   * Null if nobody: the token is unknown, expired or revoked.
   *
   * @throws Problem {@code rate-limited} if its owner asks too often
   */
  @Nullable Actor actor(String token);
}
