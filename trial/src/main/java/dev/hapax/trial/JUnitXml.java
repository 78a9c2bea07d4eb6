package dev.hapax.trial;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Results in the form of JUnit, which build servers read. */
public final class JUnitXml {
  private JUnitXml() {}

  /**
   * One result.
   *
   * @param suite the file or flow that it belongs to
   * @param failure what was wrong; null if it passed
   */
  public record Result(String suite, String name, Duration took, @Nullable String failure) {}

  /** Returns the document; results of one suite come together. */
  public static String of(List<Result> results) {
    Map<String, List<Result>> suites =
        results.stream()
            .collect(Collectors.groupingBy(Result::suite, LinkedHashMap::new, Collectors.toList()));
    var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<testsuites%s>\n".formatted(counts(results)));
    suites.forEach(
        (name, all) -> {
          xml.append("  <testsuite name=\"%s\"%s>\n".formatted(escaped(name), counts(all)));
          all.forEach(result -> append(xml, result));
          xml.append("  </testsuite>\n");
        });
    return xml.append("</testsuites>\n").toString();
  }

  private static String counts(List<Result> results) {
    long failures = results.stream().filter(result -> result.failure() != null).count();
    Duration took =
        results.stream().map(Result::took).reduce(Duration.ZERO, (one, other) -> one.plus(other));
    return " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"0\" time=\"%s\""
        .formatted(results.size(), failures, seconds(took));
  }

  private static void append(StringBuilder xml, Result result) {
    xml.append(
        "    <testcase classname=\"%s\" name=\"%s\" time=\"%s\""
            .formatted(escaped(result.suite()), escaped(result.name()), seconds(result.took())));
    String failure = result.failure();
    if (failure == null) {
      xml.append("/>\n");
      return;
    }
    String first = failure.lines().findFirst().orElse("");
    xml.append(
        ">\n      <failure message=\"%s\">%s</failure>\n    </testcase>\n"
            .formatted(escaped(first), escaped(failure)));
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
  }

  /** Leaves out what XML cannot hold. */
  private static String escaped(String text) {
    var escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\n' -> escaped.append("&#10;");
                case '\t' -> escaped.append("&#9;");
                default -> {
                  boolean isValid =
                      point >= ' '
                          && (point < 0xD800 || point > 0xDFFF)
                          && point != 0xFFFE
                          && point != 0xFFFF;
                  escaped.appendCodePoint(isValid ? point : '?');
                }
              }
            });
    return escaped.toString();
  }
}
