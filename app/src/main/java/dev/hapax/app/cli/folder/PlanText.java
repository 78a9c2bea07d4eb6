package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.output.FindingLines;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Words;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A plan for people: a line per change, then what has drifted, then a summary. */
final class PlanText {
  private PlanText() {}

  static String of(JsonNode plan, Paint paint) {
    var text = new StringBuilder();
    var item = new Item(plan);
    for (Item flow : item.items("flows")) {
      text.append(line(flow, "flow", paint));
      String runs =
          flow.items("runs").stream().map(PlanText::runs).collect(Collectors.joining(", "));
      String meaning = Words.line(flow.text("meaning"));
      text.append("    ").append(runs.isEmpty() ? meaning : runs + ": " + meaning).append('\n');
    }
    for (Item connection : item.items("connections")) {
      text.append(line(connection, "connection", paint));
      if (!connection.words("fields").isEmpty()) {
        text.append("    differs in ")
            .append(Words.line(String.join(", ", connection.words("fields"))))
            .append('\n');
      }
    }
    if (!item.words("alerts").isEmpty()) {
      text.append(paint.warn("~ alerts"))
          .append(" change: ")
          .append(Words.line(String.join(", ", item.words("alerts"))))
          .append('\n');
    }
    for (Item drift : item.items("drift")) {
      text.append(
          paint.warn(
              "! %s %s: %s"
                  .formatted(
                      Words.line(drift.text("kind")),
                      Words.line(drift.text("name")),
                      Words.line(drift.text("message")))));
      text.append('\n');
    }
    text.append(FindingLines.in(plan, paint));
    text.append(summary(item)).append('\n');
    return text.toString();
  }

  private static String line(Item item, String kind, Paint paint) {
    String change = item.text("change");
    String name = "%s %s".formatted(kind, Words.line(item.text(kind)));
    String live =
        item.text("live").isEmpty() ? "" : ", release %s is live".formatted(item.text("live"));
    return switch (change) {
      case "new" -> paint.good("+ " + name) + " is new\n";
      case "changed" -> paint.warn("~ " + name) + " changes" + live + "\n";
      case "retired" -> paint.bad("- " + name) + " is retired" + live + "\n";
      default ->
          paint.faint("- " + name)
              + " is only on the server"
              + (live.isEmpty() ? ", and stays" : live)
              + "\n";
    };
  }

  private static String runs(Item runs) {
    return "%s%s on release %s"
        .formatted(
            runs.is("atLeast") ? "at least " : "",
            Words.count(runs.json().path("open").asInt(0), "run"),
            runs.text("release"));
  }

  private static String summary(Item plan) {
    long fresh = count(plan, "new");
    long changed = count(plan, "changed") + (plan.words("alerts").isEmpty() ? 0 : 1);
    long retired = count(plan, "retired");
    return fresh + changed + retired == 0
        ? "nothing to change, %s as in the folder".formatted(plan.text("unchanged"))
        : "%d to add, %d to change, %s%s unchanged"
            .formatted(
                fresh,
                changed,
                retired == 0 ? "" : "%d to retire, ".formatted(retired),
                plan.text("unchanged"));
  }

  private static long count(Item plan, String change) {
    return plan.items("flows").stream().filter(one -> one.text("change").equals(change)).count()
        + plan.items("connections").stream()
            .filter(one -> one.text("change").equals(change))
            .count();
  }
}
