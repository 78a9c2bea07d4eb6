package dev.hapax.app.cli.authoring;

import java.util.LinkedHashMap;
import java.util.Map;

/** {@code --allow-missing}: for a server that gets its connections, secrets and flows later. */
final class MissingOption {
  static final String NAME = "--allow-missing";

  static final String MEANING =
      "Also if the server does not have the connections, secrets or child flows that the flow needs;"
          + " they become warnings.";

  private MissingOption() {}

  /** Returns the body of a request with this option. */
  static Map<String, Object> in(Map<String, Object> body, boolean allowed) {
    if (!allowed) {
      return body;
    }
    var more = new LinkedHashMap<>(body);
    more.put("allowMissing", true);
    return more;
  }
}
