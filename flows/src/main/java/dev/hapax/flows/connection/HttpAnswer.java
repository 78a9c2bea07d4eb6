package dev.hapax.flows.connection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What came back. */
public final class HttpAnswer {
  /** In bytes: a larger body is not a value, but kept elsewhere. */
  public static final int LARGEST_VALUE = 1 << 20;

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;
  private final @Nullable Object kept;

  HttpAnswer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.kept = null;
  }

  HttpAnswer(int status, Map<String, String> headers, Object kept) {
    this.status = status;
    this.headers = headers;
    this.body = new byte[0];
    this.kept = kept;
  }

  public int status() {
    return status;
  }

  /** By lower-case name; several of one name are joined by commas. */
  public Map<String, String> headers() {
    return headers;
  }

  public String header(String name, String usual) {
    return headers.getOrDefault(name, usual);
  }

  /** The bytes themselves, not a copy: not to be changed. Empty if the body was kept elsewhere. */
  public byte[] body() {
    return body;
  }

  /** What stands in the place of a body that was kept elsewhere; null if it was not. */
  public @Nullable Object kept() {
    return kept;
  }
}
