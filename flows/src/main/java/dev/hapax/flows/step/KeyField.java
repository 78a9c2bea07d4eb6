package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.connection.HttpRequest;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts an effect's key into the JSON body of a request, as some providers require: into a member,
 * or with {@code /variables/key} into a member of an inner mapping.
 */
final class KeyField {
  private KeyField() {}

  static HttpRequest put(HttpRequest request, String field, String key) {
    String path = field.startsWith("/") ? field.substring(1) : field;
    String[] names = field.startsWith("/") ? path.split("/", -1) : new String[] {field};
    return new HttpRequest(
        request.connection(),
        request.method(),
        request.target(),
        request.headers(),
        Json.write(with(body(request, field), names, 0, key, field)));
  }

  private static Object body(HttpRequest request, String field) {
    String body = request.body();
    try {
      return body == null ? Map.of() : Json.read(body, Object.class);
    } catch (NotSerializable e) {
      throw refused(field, "the body is not JSON");
    }
  }

  private static Map<String, @Nullable Object> with(
      @Nullable Object value, String[] names, int at, String key, String field) {
    var keyed = new LinkedHashMap<String, @Nullable Object>();
    switch (value) {
      case null -> {}
      case Map<?, ?> map -> map.forEach((name, one) -> keyed.put(String.valueOf(name), one));
      default ->
          throw refused(
              field,
              at == 0
                  ? "the body is not a mapping"
                  : "'%s' is not a mapping".formatted(names[at - 1]));
    }
    boolean isLast = at == names.length - 1;
    keyed.put(names[at], isLast ? key : with(keyed.get(names[at]), names, at + 1, key, field));
    return keyed;
  }

  private static Rejected refused(String field, String why) {
    return new Rejected(
        "bad-body", "the provider expects the key in field '%s', but %s".formatted(field, why));
  }
}
