package dev.hapax.app.http;

import org.jspecify.annotations.Nullable;

/** Finds the owner of a token. Called at every request, from any thread. */
@FunctionalInterface
public interface Authenticator {
  /**
   * Returns null if the token is unknown, expired or revoked.
   *
   * @throws Problem {@code rate-limited} if its owner sends too many requests
   */
  @Nullable Actor actor(String token);
}
