package dev.hapax.app.http;

/** Answers the calls of one route, from many threads at once; it may block. */
@FunctionalInterface
public interface Handler {
  /**
   * The answer, or a {@link Problem}; other exceptions of the engine become one by {@link
   * Problems}.
   */
  Answer handle(Call call) throws Exception;
}
