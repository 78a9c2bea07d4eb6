package dev.hapax.flows.alert;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The words of a mail. */
final class NoticeText {
  private static final int LONGEST_SUBJECT = 180;

  private NoticeText() {}

  static String subject(Map<String, @Nullable Object> content) {
    String subject =
        content.containsKey("ask")
            ? "[hapax] approval: " + content.get("ask")
            : "[hapax] %s%s%s".formatted(content.get("alert"), place(content), times(content));
    String line = oneLine(subject);
    return line.length() <= LONGEST_SUBJECT ? line : line.substring(0, LONGEST_SUBJECT) + "…";
  }

  private static String place(Map<String, @Nullable Object> content) {
    var place = new StringBuilder();
    append(place, " flow ", content.get("flow"));
    append(place, " step ", content.get("step"));
    append(place, " schedule ", content.get("schedule"));
    append(place, " ", content.get("destination"));
    append(place, " ", content.get("code"));
    return place.isEmpty() ? "" : ":" + place;
  }

  private static String times(Map<String, @Nullable Object> content) {
    return content.get("count") instanceof Number count && count.longValue() > 1
        ? " (%d times)".formatted(count.longValue())
        : "";
  }

  private static void append(StringBuilder text, String before, @Nullable Object value) {
    if (value != null) {
      text.append(before).append(value);
    }
  }

  private static String oneLine(String text) {
    return text.codePoints()
        .map(c -> Character.isISOControl(c) ? ' ' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** One line for each fact. */
  static String text(Map<String, @Nullable Object> content) {
    var text = new StringBuilder();
    if (content.containsKey("ask")) {
      text.append(content.get("ask")).append("\n\n");
      append(text, "Decide here: ", content.get("url"));
      text.append("\n\n");
    }
    content.forEach(
        (name, value) -> {
          if (value != null && !name.equals("ask") && !name.equals("url")) {
            text.append(name).append(": ").append(shown(value)).append('\n');
          }
        });
    return text.toString();
  }

  private static String shown(Object value) {
    if (value instanceof Map<?, ?> map) {
      var line = new StringBuilder();
      map.forEach((_, member) -> append(line, line.isEmpty() ? "" : " ", member));
      return line.toString();
    }
    return value instanceof Collection<?> list
        ? String.join(", ", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }
}
