package dev.hapax.flows.connection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer to an HTTP request. */
public final class HttpAnswer {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final @Nullable Object kept;

  /** An answer whose headers have lower-case names. */
  public HttpAnswer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.kept = null;
  }

  /** An answer whose body was stored elsewhere. */
  public HttpAnswer(int status, Map<String, String> headers, Object kept) {
    this.status = status;
    this.headers = headers;
    this.body = new byte[0];
    this.kept = kept;
  }

  public int status() {
    return status;
  }

  /** Returns the headers by lower-case name; equal names are joined by commas. */
  public Map<String, String> headers() {
    return headers;
  }

  public String header(String name, String usual) {
    return headers.getOrDefault(name, usual);
  }

  /** Returns the bytes, not a copy: do not change them. Empty if the body was stored elsewhere. */
  public byte[] body() {
    return body;
  }

  /** Returns the replacement for a body that was stored elsewhere; null if it was not. */
  public @Nullable Object kept() {
    return kept;
  }
}
