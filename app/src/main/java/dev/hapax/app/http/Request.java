package dev.hapax.app.http;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as the HTTP server has read it; implemented once per server that carries routes. */
public interface Request {
  /** Returns the requested path, with the prefix under which the routes are mounted. */
  String path();

  /** Returns the parameter of this name in the path, decoded. */
  String pathParameter(String name);

  /** Returns all values of this name, decoded; empty if there is none. */
  List<String> queryParameters(String name);

  /** Returns the names of all query parameters. */
  List<String> queryNames();

  /** Returns the first header of this name; null if there is none. */
  @Nullable String header(String name);

  /** Returns all headers as they arrived, by name in lower case. */
  Map<String, List<String>> headers();

  /**
   * Returns the body as it arrived, read once.
   *
   * @throws Problem {@code too-large} beyond the limit
   */
  byte[] body();

  /** As {@link #body()}, for parsing into values, which take far more memory than the bytes. */
  byte[] bodyToParse();

  /** Releases the body's memory to others; for a request that waits for something long. */
  void forgetBody();

  /** Returns the address of the peer. */
  String remoteAddress();
}
