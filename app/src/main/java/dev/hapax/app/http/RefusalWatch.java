package dev.hapax.app.http;

import org.jspecify.annotations.Nullable;

/**
 * Learns of every refused request, on the request's own thread, before the caller gets the answer.
 */
@FunctionalInterface
public interface RefusalWatch {
  /** Ignores every refusal. */
  RefusalWatch NONE = _ -> {};

  /**
   * A refused request.
   *
   * @param actor null if the route is public, or the credential was refused
   * @param problem the answer
   * @param cause the reason behind it, which may say more than the caller learns
   */
  record Refused(
      Route route, Request request, @Nullable Actor actor, Problem problem, Throwable cause) {}

  void refused(Refused refused);
}
