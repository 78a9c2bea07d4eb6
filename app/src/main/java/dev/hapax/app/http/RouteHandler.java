package dev.hapax.app.http;

/** Answers the calls of one route, from many threads at once; it may block. */
@FunctionalInterface
public interface RouteHandler {
  /**
   * Returns the answer, or throws a {@link Problem}; {@link Problems} turns other exceptions of the
   * engine into one.
   */
  RouteAnswer handle(Call call) throws Exception;
}
