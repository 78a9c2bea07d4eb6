package dev.hapax.flows.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the compiler of expressions says, in our words: its own are about tokens and overloads, and
 * may change with its version.
 */
final class ExpressionWords {
  /** A message of the compiler, and ours. */
  private record Words(Pattern pattern, Function<MatchResult, String> message) {}

  private static final String END = "<EOF>";

  private static final List<Words> ALL =
      List.of(
          words("mismatched input '<EOF>'.*", _ -> "it ends too early"),
          words(
              "(?:mismatched|extraneous) input '(.*?)' expecting.*",
              found -> "'%s' is not expected here".formatted(found.group(1))),
          words(
              "no viable alternative at input '(.*?)'",
              found -> "'%s' is not expected here".formatted(found.group(1))),
          words(
              "missing '?(.*?)'? at '(.*?)'",
              found ->
                  found.group(2).equals(END)
                      ? "'%s' is missing at the end".formatted(found.group(1))
                      : "'%s' is missing before '%s'".formatted(found.group(1), found.group(2))),
          words(
              "token recognition error at: '(.*)'",
              found ->
                  "%s cannot be read here; a text needs a quote at both ends"
                      .formatted(found.group(1))),
          words(
              "Expression recursion limit exceeded.*",
              _ -> "it is nested too deep, or too long: at most 64 levels"),
          words(
              "found no matching overload for '(.*?)' applied to '(.*?)'(?: \\(candidates.*)?",
              found -> misapplied(found.group(1), found.group(2))),
          words(
              "found more than one matching overload for '(.*?)'.*",
              found ->
                  "'%s' is used on values of unclear types".formatted(operator(found.group(1)))),
          words(
              "expected type '(.*?)' but found '(.*?)'",
              found -> "expected %s, got %s".formatted(type(found.group(1)), type(found.group(2)))),
          words(
              "type '(.*?)' does not support field selection.*",
              found -> "%s has no fields".formatted(type(found.group(1)))),
          words(
              "expression of type '(.*?)' cannot be (?:the )?range of a comprehension.*",
              found -> "%s is not a list".formatted(type(found.group(1)))),
          words(
              "reserved identifier: (.*)",
              found -> "'%s' is a reserved word".formatted(found.group(1))),
          words(
              "unsupported (?:syntax|identifier) ?'?(.*?)'?",
              found -> "'%s' is not supported".formatted(found.group(1))),
          words(
              "invalid argument to has\\(\\) macro",
              _ -> "has() needs a field, for example has(input.total)"),
          words(
              "The argument must be a simple name",
              _ -> "the first argument of a loop is a name, for example lines.map(line, line.sku)"),
          words(
              "The iteration variable (.*?) .*",
              found -> "'%s' cannot be the name of a loop's value".formatted(found.group(1))),
          words(".*(?:node limit|code point size).*", _ -> "it is too large"),
          words(
              ".*(?:escape sequence|code point|literal).*",
              _ -> "a text or number in it cannot be read"),
          words(
              "'(.*?)' is not a (?:message )?type.*",
              found -> "'%s' is not a type".formatted(found.group(1))));

  private ExpressionWords() {}

  static String of(String message) {
    for (Words words : ALL) {
      Matcher matcher = words.pattern().matcher(message.strip());
      if (matcher.matches()) {
        return words.message().apply(matcher.toMatchResult());
      }
    }
    return "it cannot be compiled";
  }

  private static Words words(String pattern, Function<MatchResult, String> message) {
    return new Words(Pattern.compile(pattern, Pattern.DOTALL), message);
  }

  /** The types are those of the arguments: {@code (string, int)}, or {@code string.(int)}. */
  private static String misapplied(String function, String types) {
    int open = types.indexOf('(');
    var given = new ArrayList<String>();
    if (open > 0) {
      given.add(type(types.substring(0, open - 1)));
    }
    arguments(types.substring(open + 1, types.length() - 1)).forEach(each -> given.add(type(each)));
    return "'%s' cannot be used on %s"
        .formatted(operator(function), given.isEmpty() ? "nothing" : String.join(" and ", given));
  }

  /** Splits at commas outside of brackets. */
  private static List<String> arguments(String text) {
    var found = new ArrayList<String>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        found.add(text.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    if (!text.substring(begin).isBlank()) {
      found.add(text.substring(begin).strip());
    }
    return found;
  }

  private static String operator(String function) {
    return switch (function) {
      case "_[_]" -> "[ ]";
      case "_?_:_" -> "? :";
      case "@in", "_in_" -> "in";
      default ->
          function.replace("_", "").isEmpty() || function.matches("\\w+")
              ? function
              : function.replace("_", "");
    };
  }

  private static String type(@Nullable String name) {
    String known = name == null ? "" : name;
    return switch (known) {
      case "string" -> "a text";
      case "int", "uint" -> "a whole number";
      case "double" -> "a number";
      case "bool" -> "true or false";
      case "bytes" -> "bytes";
      case "null", "null_type" -> "null";
      case "google.protobuf.Timestamp", "timestamp" -> "a time";
      case "google.protobuf.Duration", "duration" -> "a duration";
      case "dyn", "any" -> "a value";
      default -> known.startsWith("list(") ? "a list" : "a mapping";
    };
  }
}
