package dev.hapax.flows.simulation;

import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values of an input that a careless program would change, evaluate or choke on. Generated files
 * pass them on, and they must arrive as they are.
 */
final class HostileValues {
  /** As JSON; a step takes one of them by its drawn number, and small numbers are drawn often. */
  private static final List<String> ALL =
      List.of(
          "\"plain\"",
          "{\"__proto__\": {\"polluted\": true}, \"constructor\": {\"prototype\": 1}, \"toString\": \"x\", \"hasOwnProperty\": null}",
          "\"${input.no} ${secrets.key} {{input.id}} #{1+1} $(id) `id`\"",
          "[9007199254740993, -9223372036854775808, 9223372036854775807, 2147483648, -2147483649, 0, -1]",
          "\"line\\n\\r\\t\\u0001\\u001b[2J\\u007f\\u0085\\u2028\\u202e\\ufeff end\"",
          "[0.1, 40.10, 1e-7, 123456789.123456789, 1.7976931348623157e308, 4.9e-324]",
          "[".repeat(40) + "\"deep\"" + "]".repeat(40),
          "{\"\": 0, \" \": 1, \"a.b\": 2, \"a/b\": 3, \"${input.id}\": 4, \"\\\"\": 5, \"\\n\": 6}",
          "\"" + "huge ".repeat(2_000) + "\"",
          "\"- a: {b: [c, &d *d !!str | # \\\\ ' \\\" \"",
          "[null, true, false, \"\", [], {}, \"null\", \"true\", \"0\", \"NaN\"]",
          "\"\\ud83d\\ude00 e\\u0301 \\u00e9 \\ufdfa \\u202e\"",
          "{\"id\": \"other\", \"label\": \"other\", \"rejected\": true, \"error\": \"no\", \"output\": 1}",
          "{\"a\":".repeat(30) + "1" + "}".repeat(30));

  private HostileValues() {}

  /** All of them, as a run's input has them. */
  static Object input() {
    return Json.read("[" + String.join(", ", ALL) + "]", Object.class);
  }

  /** The expression with which a step takes its own. */
  static String expression(Part part) {
    return "${input.hostile[%d]}".formatted(index(part));
  }

  /** What must arrive, in the one form in which values are compared. */
  static String expected(Part part) {
    return CanonicalJson.of(ALL.get(index(part)));
  }

  static String canonical(@Nullable Object value) {
    return value == null ? "null" : CanonicalJson.of(Json.write(value));
  }

  private static int index(Part part) {
    return part.seconds() % ALL.size();
  }
}
