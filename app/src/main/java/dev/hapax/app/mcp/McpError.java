package dev.hapax.app.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that is refused by the protocol's rules, before any tool is called. */
final class McpError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final int PARSE = -32700;
  static final int REQUEST = -32600;
  static final int METHOD = -32601;
  static final int PARAMS = -32602;
  static final int INTERNAL = -32603;
  static final int HEADER = -32020;
  static final int CAPABILITY = -32021;
  static final int VERSION = -32022;

  private final int code;
  private final int status;
  private final transient Map<String, Object> data;

  private McpError(int code, int status, String message, Map<String, Object> data) {
    super(message, null, false, false);
    this.code = code;
    this.status = status;
    this.data = data;
  }

  static McpError of(int code, String message) {
    return new McpError(code, code == METHOD ? 404 : 400, message, Map.of());
  }

  /** The same error with an HTTP status of its own. */
  McpError status(int other) {
    return new McpError(code, other, message(), data);
  }

  McpError with(String member, Object value) {
    var more = new LinkedHashMap<>(data);
    more.put(member, value);
    return new McpError(code, status, message(), more);
  }

  int status() {
    return status;
  }

  private String message() {
    return String.valueOf(getMessage());
  }

  /** Returns the answer to the message with this id; null if it has none. */
  Map<String, Object> json(@Nullable Object id) {
    var error = new LinkedHashMap<String, Object>();
    error.put("code", code);
    error.put("message", message());
    if (!data.isEmpty()) {
      error.put("data", data);
    }
    var json = new LinkedHashMap<String, Object>();
    json.put("jsonrpc", "2.0");
    json.put("id", id);
    json.put("error", error);
    return json;
  }
}
