package dev.hapax.flows.step;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the part of a question whose bytes say nothing about its tokens: an address is short, and
 * what it names is not; a picture or a PDF of a few thousand bytes can be many thousand tokens,
 * too. Every part counts as one but those that are known to be text.
 */
final class UnboundedPart {
  private static final String TYPE = "type";
  private static final String CONTENT = "content";
  private static final Set<String> TEXTS =
      Set.of("text", "refusal", "tool_use", "tool_result", "search_result");

  private UnboundedPart() {}

  /** Returns the type of the first such part in the body of a request; null if there is none. */
  static @Nullable String in(Map<String, @Nullable Object> body) {
    return first(body.get("messages"), UnboundedPart::inside);
  }

  /** Looks into a message or a part; its content is a text, or a list of parts. */
  private static @Nullable String inside(Object whole) {
    return whole instanceof Map<?, ?> map ? first(map.get(CONTENT), UnboundedPart::type) : null;
  }

  private static @Nullable String first(
      @Nullable Object list, Function<Object, @Nullable String> look) {
    for (Object one : list instanceof List<?> several ? several : List.of()) {
      String found = one == null ? null : look.apply(one);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String type(Object part) {
    if (!(part instanceof Map<?, ?> map)) {
      return null;
    }
    String type = String.valueOf(map.get(TYPE));
    if (TEXTS.contains(type)) {
      return inside(map);
    }
    if (type.equals("document") && map.get("source") instanceof Map<?, ?> source) {
      Object kind = source.get(TYPE);
      boolean isText = CONTENT.equals(kind) ? inside(source) == null : "text".equals(kind);
      return isText ? null : type;
    }
    return type;
  }
}
