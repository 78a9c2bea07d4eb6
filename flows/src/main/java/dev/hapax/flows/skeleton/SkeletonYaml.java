package dev.hapax.flows.skeleton;

import dev.hapax.json.Text;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes a skeleton as YAML, in the layout of {@code hapax fmt}; texts of others stay texts. */
final class SkeletonYaml {
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z_/][A-Za-z0-9_./@+-]*( [A-Za-z0-9_./@+()-]+)*|[0-9]+(ms|s|m|h|d)");
  private static final Pattern EXPRESSION = Pattern.compile("\\$\\{[^{}\"\\\\\n#:]*}");

  /** Words that some readers of YAML take for something else. */
  private static final Set<String> NO_TEXT =
      Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan");

  private static final int LONGEST_COMMENT = 160;

  private final StringBuilder out = new StringBuilder();

  private SkeletonYaml() {}

  static String of(List<String> comments, Map<String, Object> flow) {
    var yaml = new SkeletonYaml();
    yaml.comments(comments, 0);
    yaml.mapping(flow, 0, "");
    return yaml.out.toString();
  }

  /** Returns a text of others as part of a template: it contains no expression. */
  static String literal(String text) {
    return text.replace("${", "$${");
  }

  private void mapping(Map<?, ?> mapping, int indent, String begin) {
    String before = begin;
    for (Map.Entry<?, ?> entry : mapping.entrySet()) {
      out.append(before.isEmpty() ? " ".repeat(indent) : before);
      out.append(scalar(entry.getKey())).append(':');
      value(entry.getValue(), indent);
      before = "";
    }
  }

  private void value(@Nullable Object value, int indent) {
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> {
        out.append('\n');
        mapping(map, indent + 2, "");
      }
      case List<?> list when !list.isEmpty() -> {
        out.append('\n');
        list.forEach(element -> element(element, indent + 2));
      }
      case null, default -> out.append(' ').append(scalar(value)).append('\n');
    }
  }

  private void element(@Nullable Object element, int indent) {
    String dash = " ".repeat(indent) + "- ";
    switch (element) {
      case SkeletonStep step -> {
        comments(step.comments(), indent);
        var fields = SkeletonStep.ordered("id", step.id());
        fields.putAll(step.fields());
        mapping(fields, indent + 2, dash);
      }
      case Map<?, ?> map when !map.isEmpty() -> mapping(map, indent + 2, dash);
      case List<?> list when !list.isEmpty() -> {
        out.append(dash.stripTrailing()).append('\n');
        list.forEach(inner -> element(inner, indent + 2));
      }
      case null, default -> out.append(dash).append(scalar(element)).append('\n');
    }
  }

  private void comments(List<String> lines, int indent) {
    for (String line : lines) {
      String printable = printable(line).stripTrailing();
      String cut = Text.cut(printable, LONGEST_COMMENT);
      out.append(" ".repeat(indent)).append("# ").append(cut);
      out.append(cut.length() < printable.length() ? " …\n" : "\n");
    }
  }

  private static String printable(String line) {
    var text = new StringBuilder();
    Text.storable(line)
        .codePoints()
        .forEach(point -> text.appendCodePoint(isPrintable(point) ? point : ' '));
    return text.toString();
  }

  private static String scalar(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> _ -> "{}";
      case List<?> _ -> "[]";
      case String text -> text(text);
      default -> value.toString();
    };
  }

  private static String text(String text) {
    boolean isPlain =
        (PLAIN.matcher(text).matches() && !NO_TEXT.contains(text.toLowerCase(Locale.ROOT)))
            || EXPRESSION.matcher(text).matches();
    return isPlain && text.length() < 200 ? text : quoted(text);
  }

  private static String quoted(String text) {
    var quoted = new StringBuilder("\"");
    Text.storable(text)
        .codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                  if (isPrintable(point)) {
                    quoted.appendCodePoint(point);
                  } else {
                    quoted.append("\\U%08x".formatted(point));
                  }
                }
              }
            });
    return quoted.append('"').toString();
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
