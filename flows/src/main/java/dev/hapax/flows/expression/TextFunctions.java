package dev.hapax.flows.expression;

import dev.cel.runtime.CelFunctionBinding;
import java.util.ArrayList;
import java.util.List;

/**
 * CEL's functions that make many or long texts out of short ones. The library's own would build a
 * result of any size; these know its size first and ask the evaluation for room.
 */
final class TextFunctions {
  private TextFunctions() {}

  static List<CelFunctionBinding> bindings() {
    return List.of(
        CelFunctionBinding.from(
            "string_replace_string_string",
            List.of(String.class, String.class, String.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], -1)),
        CelFunctionBinding.from(
            "string_replace_string_string_int",
            List.of(String.class, String.class, String.class, Long.class),
            args -> replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3])),
        CelFunctionBinding.from(
            "string_split_string",
            String.class,
            String.class,
            (String text, String by) -> split(text, by, -1)),
        CelFunctionBinding.from(
            "string_split_string_int",
            List.of(String.class, String.class, Long.class),
            args -> split((String) args[0], (String) args[1], (Long) args[2])),
        CelFunctionBinding.from("list_join", List.class, list -> join(list, "")),
        CelFunctionBinding.from("list_join_string", List.class, String.class, TextFunctions::join));
  }

  /** Replaces the first ones, up to the limit; all of them if it is negative. */
  private static String replace(String text, String from, String to, long limit) {
    var places = new Places(text, from);
    long most = limit < 0 ? Long.MAX_VALUE : limit;
    long count = 0;
    while (count < most && places.next() >= 0) {
      count++;
    }
    long length = text.length() + count * ((long) to.length() - from.length());
    EvaluationRoom.require(length);
    var replaced = new StringBuilder((int) length);
    var again = new Places(text, from);
    int done = 0;
    for (long i = 0; i < count; i++) {
      int at = again.next();
      replaced.append(text, done, at).append(to);
      done = at + from.length();
    }
    return replaced.append(text, done, text.length()).toString();
  }

  /** Returns at most this many parts, the last with the rest; all of them if it is negative. */
  private static List<String> split(String text, String by, long limit) {
    if (limit == 0) {
      return List.of();
    }
    long most = limit < 0 ? Long.MAX_VALUE : limit;
    var parts = new ArrayList<String>();
    int done = 0;
    if (by.isEmpty()) { // each character is a part
      EvaluationRoom.require(Math.min(most, text.length()) + text.length());
      while (done < text.length() && parts.size() < most - 1) {
        int end = text.offsetByCodePoints(done, 1);
        parts.add(text.substring(done, end));
        done = end;
      }
      if (done < text.length()) {
        parts.add(text.substring(done));
      }
      return parts;
    }
    var places = new Places(text, by);
    for (int at; parts.size() < most - 1 && (at = places.next()) >= 0; ) {
      EvaluationRoom.require((long) parts.size() + text.length());
      parts.add(text.substring(done, at));
      done = at + by.length();
    }
    parts.add(text.substring(done));
    return parts;
  }

  private static String join(List<?> texts, String separator) {
    long length = 0;
    for (Object text : texts) {
      length += ((String) text).length() + separator.length();
      EvaluationRoom.require(length);
    }
    var joined = new StringBuilder((int) length);
    String before = "";
    for (Object text : texts) {
      joined.append(before).append(text);
      before = separator;
    }
    return joined.toString();
  }

  /** The places of a text inside another, from left to right; the empty text is at every place. */
  private static final class Places {
    private final String text;
    private final String sought;
    private int from;

    Places(String text, String sought) {
      this.text = text;
      this.sought = sought;
    }

    /** Returns -1 after the last. */
    int next() {
      if (from > text.length()) {
        return -1;
      }
      int at = sought.isEmpty() ? from : text.indexOf(sought, from);
      if (at < 0) {
        from = text.length() + 1;
      } else if (!sought.isEmpty()) {
        from = at + sought.length();
      } else {
        from = at == text.length() ? at + 1 : text.offsetByCodePoints(at, 1);
      }
      return at;
    }
  }
}
