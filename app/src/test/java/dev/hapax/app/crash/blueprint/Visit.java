package dev.hapax.app.crash.blueprint;

import dev.hapax.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A request that has arrived at a system of the town.
 *
 * @param system the connection that it came by
 * @param path below the system
 * @param key the idempotency key, or empty
 */
record Visit(String system, String method, String path, String query, String key, String body) {

  /** What a system says. */
  record Answer(int status, String body) {
    static Answer of(int status, Object body) {
      return new Answer(status, Json.write(body));
    }
  }

  boolean is(String system, String method, String pathPrefix) {
    return this.system.equals(system) && this.method.equals(method) && path.startsWith(pathPrefix);
  }

  JsonNode json() {
    return Json.tree(body);
  }

  String field(String name) {
    return json().path(name).asString();
  }

  /** The last segment of the path. */
  String last() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The value of the only parameter. */
  String parameter() {
    return query.substring(query.indexOf('=') + 1);
  }

  static Answer ok() {
    return Answer.of(200, Map.of());
  }
}
