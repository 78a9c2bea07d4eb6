package dev.hapax.flows.connection;

import java.util.Map;

/** What came back. */
public final class HttpAnswer {
  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  HttpAnswer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
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

  /** The bytes themselves, not a copy: not to be changed. */
  public byte[] body() {
    return body;
  }
}
