package dev.hapax.flows.yaml;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * The problem of a text that is not YAML, in our words: the parser's own are about its tokens, and
 * may change with its version.
 *
 * @param atBegin whether the problem is at the beginning of what was read, such as an open quote
 */
record YamlWords(String message, String fix, boolean atBegin) {
  private static final YamlWords COMPLEX_KEY =
      here("expected a text as key, got a list or mapping", "Quote it if it is a text.");

  private static final YamlWords UNKNOWN =
      here(
          "the YAML cannot be read from here on",
          "Compare the indentation, the quotes and the brackets with the lines above.");

  /** For a problem without a place. */
  static YamlWords of(RuntimeException e) {
    return lower(e.getMessage()).contains("non scalar key")
        ? COMPLEX_KEY
        : here("the file is not YAML that can be read", "Compare it with the examples.");
  }

  static YamlWords of(MarkedYamlEngineException e) {
    String problem = lower(e.getProblem());
    String context = lower(e.getContext());
    if (problem.contains("(tab)")) {
      return here("a tab cannot indent a line", "Indent with spaces.");
    }
    if (problem.contains("undefined alias")) {
      return here(
          "this alias names no value above it", "Write the value out, or mark it with & before.");
    }
    if (problem.contains("non scalar key")) {
      return COMPLEX_KEY;
    }
    if (problem.contains("cannot start any token")) {
      return here("a text cannot begin with this character", "Put the text into quotes.");
    }
    if (problem.contains("mapping values are not allowed")) {
      return here(
          "a ':' is not allowed here",
          "Correct the indentation, or quote a text that contains ': '.");
    }
    if (problem.contains("sequence entries are not allowed")
        || problem.contains("mapping keys are not allowed")) {
      return here("a list or mapping cannot begin here", "Begin it on its own line, indented.");
    }
    if (problem.contains("expected the node content")) {
      return here("a value is missing here", "Write the value, or close the bracket.");
    }
    return byContext(problem, context);
  }

  private static YamlWords byContext(String problem, String context) {
    if (context.contains("quoted scalar")) {
      return problem.contains("end of stream") || problem.contains("document separator")
          ? begin("the text in quotes that begins here has no closing quote", "Close the quote.")
          : here(
              "this escape after \\ is unknown",
              "Use single quotes, or write \\\\ for a backslash.");
    }
    if (context.contains("flow sequence")) {
      return begin(
          "the list that begins here with [ has no comma or ] where one is needed",
          "Separate its entries with commas, and close it.");
    }
    if (context.contains("flow mapping")) {
      return begin(
          "the mapping that begins here with { has no comma or } where one is needed",
          "Separate its fields with commas, and close it.");
    }
    if (context.contains("block mapping") || context.contains("block collection")) {
      return here(
          "the indentation does not fit the lines above",
          "Begin the fields of a mapping, and the entries of a list, in the same column.");
    }
    if (context.contains("simple key")) {
      return begin("this line has no ':' behind its key", "Write KEY: VALUE.");
    }
    if (context.contains("block scalar")) {
      return here(
          "the text behind | or > is not indented as it should be",
          "Indent all its lines by the same number of spaces.");
    }
    if (context.contains("directive")) {
      return here("a line cannot begin with %", "Put the text into quotes.");
    }
    if (context.contains("tag") || context.contains("anchor") || context.contains("alias")) {
      return here("this tag, anchor or alias cannot be read", "Write the value out.");
    }
    return UNKNOWN;
  }

  private static YamlWords here(String message, String fix) {
    return new YamlWords(message, fix, false);
  }

  private static YamlWords begin(String message, String fix) {
    return new YamlWords(message, fix, true);
  }

  private static String lower(@Nullable String text) {
    return text == null ? "" : text.toLowerCase(Locale.ROOT);
  }
}
