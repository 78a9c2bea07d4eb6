package dev.hapax.app.http;

import org.jspecify.annotations.Nullable;

/** Finds the credential of a browser that has logged in: it sends a cookie, and no token. */
@FunctionalInterface
public interface Sessions {
  /** No browser can log in. */
  Sessions NONE = (_, _) -> null;

  /**
   * Returns the credential behind the session of a request; null if it has none.
   *
   * @param method of the route
   * @throws Problem {@code unauthorized} if the session has ended, {@code forbidden} if the request
   *     would change something and is not proven to come from our own page
   */
  @Nullable String credential(Request request, Method method);

  /** Returns the refusal of a session whose credential no longer counts; the browser forgets it. */
  default Problem over(Problem refused) {
    return refused;
  }
}
