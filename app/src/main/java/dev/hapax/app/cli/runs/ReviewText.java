package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import java.time.Duration;

/** A review with its evidence, as people read it. */
final class ReviewText {
  private ReviewText() {}

  static String of(Item review, Paint paint) {
    var text =
        new StringBuilder(
            new Sheet()
                .line("flow", review.text("flow"))
                .line("run", review.text("run"))
                .line("run key", review.text("runKey"))
                .line("step", review.text("step"))
                .line("item", review.text("item"))
                .line("name", review.text("name"))
                .line("key", review.text("key"))
                .line("wire key", review.text("wireKey"))
                .line("guard", review.text("guard"))
                .line("state", review.text("state"))
                .line("age", age(review.json().path("ageSeconds").asLong(-1)))
                .line("cause", review.text("cause"))
                .line("destination", review.text("destination"))
                .line("external id", review.text("externalId"))
                .line("revision", review.text("revision"))
                .line("attempts", review.text("attempts"))
                .line("first sent", review.time("firstSentAt"))
                .line("request", review.text("request"))
                .line("evidence", review.text("evidence"))
                .line("assignee", review.text("assignee"))
                .line("runbook", review.text("runbook"))
                .text("review of effect " + review.text("id"), paint));
    history(review, text, paint);
    others(review, text, paint);
    for (Item comment : review.items("comments")) {
      text.append('\n')
          .append(paint.strong(comment.time("at") + " " + comment.text("by")))
          .append("\n  ")
          .append(comment.text("text").replace("\n", "\n  "))
          .append('\n');
    }
    return text.toString();
  }

  private static void history(Item review, StringBuilder text, Paint paint) {
    var table = new Table("AT", "WHAT", "ATTEMPT", "EVIDENCE", "DECISION");
    for (Item line : review.items("history")) {
      table.row(
          line.time("at"),
          line.text("type"),
          line.text("attempt"),
          line.text("evidence"),
          line.text("decision"));
    }
    append("What happened", table.text(paint, ""), text, paint);
  }

  private static void others(Item review, StringBuilder text, Paint paint) {
    var table = new Table("EFFECT", "STEP", "NAME", "KEY", "STATE", "EXTERNAL ID");
    for (Item other : review.items("others")) {
      table.row(
          other.text("id"),
          other.text("step"),
          other.text("name"),
          other.text("key"),
          other.text("state"),
          other.text("externalId"));
    }
    append("Other effects of the run", table.text(paint, ""), text, paint);
  }

  private static void append(String title, String table, StringBuilder text, Paint paint) {
    if (!table.isBlank()) {
      text.append('\n').append(paint.strong(title)).append('\n');
      table.lines().forEach(line -> text.append("  ").append(line).append('\n'));
    }
  }

  /** Two days, three hours, or a few seconds; empty if it is unknown. */
  static String age(long seconds) {
    if (seconds < 0) {
      return "";
    }
    var age = Duration.ofSeconds(seconds);
    if (age.toDays() > 0) {
      return age.toDays() + "d " + age.toHoursPart() + "h";
    }
    if (age.toHours() > 0) {
      return age.toHours() + "h " + age.toMinutesPart() + "m";
    }
    return age.toMinutes() > 0 ? age.toMinutes() + "m" : seconds + "s";
  }
}
