package dev.hapax.app.cli.output;

import dev.hapax.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The findings of a server about a flow, for people: place, rule and reason; then what to do. */
public final class FindingLines {
  private FindingLines() {}

  /** Returns the lines of the findings in this answer; empty if it has none. */
  public static String in(JsonNode answer, Paint paint) {
    var lines = new StringBuilder();
    for (Item finding : new Item(answer).items("findings")) {
      if (finding.text("message").isEmpty()) {
        continue; // of another version, or not a finding
      }
      lines.append(
          "%s:%s:%s %s %s: %s.%n  %s%n"
              .formatted(
                  Words.line(finding.text("file")),
                  finding.text("line"),
                  finding.text("column"),
                  paint.status(Words.line(finding.text("level"))),
                  Words.line(finding.text("rule")),
                  Words.line(finding.text("message")),
                  Words.line(finding.text("fix"))));
    }
    return lines.toString();
  }

  /** Returns the lines of the findings among the details of a refusal. */
  static String of(Refusal refusal, Paint paint) {
    return refusal.details() instanceof Map<?, ?> details && details.containsKey("findings")
        ? in(Json.tree(Json.write(details)), paint)
        : "";
  }
}
