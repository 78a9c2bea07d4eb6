package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Table;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Plans of replays as people read them. */
final class ReplayText {
  private static final int MOST_NAMED = 20;
  private static final int LONGEST_REQUEST = 60;

  private ReplayText() {}

  static String plan(Item plan, Paint paint) {
    boolean isOfMany = plan.json().path("found").asLong() > 1;
    var text = new StringBuilder(table(plan, isOfMany).text(paint, "no effects\n"));
    text.append("\n").append(totals(plan)).append("\n");
    if (isOfMany || plan.json().path("skipped").asLong() > 0) {
      text.append(
          "%s runs, %s of them are not replayed\n"
              .formatted(plan.text("found"), plan.text("skipped")));
    }
    plan.items("runs").stream()
        .map(ReplayText::remark)
        .filter(remark -> remark != null)
        .limit(MOST_NAMED)
        .forEach(remark -> text.append(remark).append("\n"));
    plan.items("runs").stream()
        .map(ReplayText::differences)
        .filter(line -> line != null)
        .distinct() // runs of one release differ alike
        .limit(MOST_NAMED)
        .forEach(line -> text.append(line).append("\n"));
    String id = plan.text("plan");
    String next = plan.text("next");
    if (!next.isEmpty()) {
      text.append("more: hapax replay --show %s --after %s\n".formatted(id, next));
    }
    if (plan.text("state").equals("failed")) {
      text.append("The plan failed: %s\n".formatted(plan.text("problem")));
    }
    if (plan.text("state").equals("planned")) {
      text.append("Carry it out: hapax replay --apply %s\n".formatted(id));
    }
    return text.toString();
  }

  private static Table table(Item plan, boolean isOfMany) {
    var table =
        isOfMany
            ? new Table("RUN", "DECISION", "STEP", "ITEM", "EFFECT", "KEY", "REQUEST", "NOTE")
            : new Table("DECISION", "STEP", "ITEM", "EFFECT", "KEY", "REQUEST", "NOTE");
    for (Item line : plan.items("items")) {
      var cells = new ArrayList<Object>();
      if (isOfMany) {
        cells.add(line.text("run"));
      }
      cells.add(line.text("decision"));
      cells.add(line.text("step"));
      cells.add(line.text("item"));
      cells.add(name(line));
      cells.add(line.text("key"));
      cells.add(request(line.json()));
      cells.add(line.text("note"));
      table.row(cells.toArray());
    }
    return table;
  }

  private static String name(Item line) {
    return switch (line.text("type")) {
      case "message" -> "message to " + line.text("name");
      case "run" -> "run of " + line.text("name");
      default -> line.text("name");
    };
  }

  private static String request(JsonNode item) {
    if (item.has("dependsOn")) {
      var names = new ArrayList<String>();
      item.path("dependsOn").forEach(step -> names.add(step.asString()));
      return "depends on " + String.join(", ", names);
    }
    JsonNode request = item.path("request");
    String text = request.isNull() || request.isMissingNode() ? "" : request.toString();
    return text.length() > LONGEST_REQUEST ? text.substring(0, LONGEST_REQUEST) + "…" : text;
  }

  private static String totals(Item plan) {
    JsonNode totals = plan.json().path("totals");
    return "keep %d, reuse %d, send %d, doubt %d, changed %d"
        .formatted(
            totals.path("keep").asLong(),
            totals.path("reuse").asLong(),
            totals.path("send").asLong(),
            totals.path("doubt").asLong(),
            totals.path("changed").asLong());
  }

  /** How the release that a run goes on with differs from its own; null if that is the same one. */
  private static @Nullable String differences(Item run) {
    JsonNode differences = run.json().path("differences");
    if (differences.isMissingNode()) {
      return null;
    }
    var steps = new ArrayList<String>();
    for (JsonNode one : differences) {
      steps.add(
          one.has("step")
              ? one.path("step").asString() + " " + one.path("change").asString()
              : "the steps cannot be compared");
    }
    return "Release %s of flow '%s': %s."
        .formatted(
            run.text("release"),
            run.text("flow"),
            steps.isEmpty() ? "no step differs" : String.join(", ", steps));
  }

  private static @Nullable String remark(Item run) {
    if (!run.text("problem").isEmpty()) {
      return "Run %s is %s: %s".formatted(run.text("run"), run.text("state"), run.text("problem"));
    }
    if (!run.text("ends").isEmpty()) {
      return "The plan of run %s ends early: %s.".formatted(run.text("run"), run.text("ends"));
    }
    return run.text("more").isEmpty()
        ? null
        : "Run %s has %s more effects.".formatted(run.text("run"), run.text("more"));
  }
}
