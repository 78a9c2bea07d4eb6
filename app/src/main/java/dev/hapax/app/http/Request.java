package dev.hapax.app.http;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request as the HTTP server has read it; implemented once per server that carries routes. */
public interface Request {
  /** As it was asked for, with the prefix under which the routes are mounted. */
  String path();

  /** Decoded. */
  String pathParameter(String name);

  /** All values of this name, decoded; empty if there is none. */
  List<String> queryParameters(String name);

  /** The names of all query parameters. */
  List<String> queryNames();

  /** Null if there is none; of several the first. */
  @Nullable String header(String name);

  /** All headers as they came, by name in lower case. */
  Map<String, List<String>> headers();

  /**
   * The body as it came, read once.
   *
   * @throws Problem {@code too-large} beyond the limit
   */
  byte[] body();

  /** As {@link #body()}, to make values of it, which take far more memory than the bytes. */
  byte[] bodyToParse();

  /** The body is needed no more: what waits for something long lets others have its memory. */
  void forgetBody();

  /** The address of the peer. */
  String remoteAddress();
}
