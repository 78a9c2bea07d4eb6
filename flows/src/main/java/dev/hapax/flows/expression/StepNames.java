package dev.hapax.flows.expression;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites step ids with a dash: CEL would read {@code steps.send-mail} as a subtraction, so it
 * gets {@code steps['send-mail']}.
 */
final class StepNames {
  private final @Nullable Pattern dashed;

  StepNames(Set<String> ids) {
    List<String> names =
        ids.stream()
            .filter(id -> id.contains("-"))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .map(Pattern::quote)
            .toList();
    this.dashed =
        names.isEmpty()
            ? null
            : Pattern.compile(
                "'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|\\bsteps\\.("
                    + String.join("|", names)
                    + ")(?![A-Za-z0-9_-])");
  }

  String quoted(String expression) {
    if (dashed == null) {
      return expression;
    }
    return dashed
        .matcher(expression)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) == null
                        ? found.group() // quoted text stays unchanged
                        : "steps['" + found.group(1) + "']"));
  }
}
