package dev.hapax.app.http;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers browsers where there is no route: pages and the files that they need. */
@FunctionalInterface
public interface Site {
  /** Has nothing. */
  Site NONE = (_, _) -> null;

  /**
   * Returns null if there is nothing for this request.
   *
   * @param path of a GET request, without the prefix under which the routes are mounted
   * @param headers the first header of a name; null if there is none
   */
  @Nullable RouteAnswer answer(String path, Function<String, @Nullable String> headers);
}
