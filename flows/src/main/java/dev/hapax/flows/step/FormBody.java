package dev.hapax.flows.step;

import dev.hapax.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping as the fields of a form, for destinations that take no JSON. A value inside a mapping
 * is {@code outer[inner]=value}, an element of a list {@code outer[0]=value}, as Stripe reads them;
 * null leaves a field out.
 */
final class FormBody {
  private static final String TYPE = "application/x-www-form-urlencoded";

  private FormBody() {}

  /** Returns whether the headers ask for a form. */
  static boolean isWanted(Map<String, String> headers) {
    return headers.entrySet().stream()
        .anyMatch(
            header ->
                header.getKey().equalsIgnoreCase("Content-Type")
                    && header.getValue().strip().toLowerCase(Locale.ROOT).startsWith(TYPE));
  }

  static String of(Map<?, ?> fields) {
    var text = new StringBuilder();
    fields.forEach((name, value) -> append(text, encoded(String.valueOf(name)), value));
    return text.toString();
  }

  private static void append(StringBuilder text, String name, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case Map<?, ?> inner ->
          inner.forEach(
              (member, one) ->
                  append(text, name + "[" + encoded(String.valueOf(member)) + "]", one));
      case Iterable<?> elements -> {
        int index = 0;
        for (Object element : elements) {
          append(text, name + "[" + index + "]", element);
          index++;
        }
      }
      default ->
          text.append(text.isEmpty() ? "" : "&")
              .append(name)
              .append('=')
              .append(encoded(value instanceof String plain ? plain : Json.write(value)));
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
