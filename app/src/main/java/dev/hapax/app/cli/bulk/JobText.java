package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.Words;
import java.util.stream.Collectors;

/** Jobs as people read them. */
final class JobText {
  private JobText() {}

  static Table table() {
    return new Table("JOB", "KIND", "STATE", "ITEMS", "DONE", "FAILED", "SKIPPED", "BY", "CREATED");
  }

  static void row(Table table, Item job) {
    table.row(
        job.text("id"),
        job.text("kind"),
        job.text("state"),
        job.inner("totals").text("items"),
        job.text("done"),
        job.text("failed"),
        job.text("skipped"),
        job.text("createdBy"),
        job.time("createdAt"));
  }

  static String sheet(Item job, Paint paint) {
    return new Sheet()
        .line("kind", job.text("kind"))
        .line("state", job.text("state"))
        .line("totals", totals(job))
        .line("done", job.text("done"))
        .line("failed", job.text("failed"))
        .line("skipped", job.text("skipped"))
        .line("open", job.text("open"))
        .line("rate", job.text("rate") + " per second")
        .line("asked for", job.text("spec"))
        .line("created by", job.text("createdBy"))
        .line("applied by", job.text("appliedBy"))
        .line("created", job.time("createdAt"))
        .line("ended", job.time("endedAt"))
        .line("problem", job.text("problem"))
        .text("job " + job.text("id"), paint);
  }

  private static String totals(Item job) {
    return job.json().path("totals").properties().stream()
        .map(total -> "%s %s".formatted(Words.plain(total.getKey()), total.getValue().asString()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the items of a job as a table. */
  static String results(Item job, Paint paint) {
    var table = new Table("ITEM", "SUBJECT", "FLOW", "KEY", "RESULT", "PROBLEM");
    job.items("results")
        .forEach(
            item ->
                table.row(
                    item.text("position"),
                    item.text("subject"),
                    item.text("flow"),
                    item.text("key"),
                    item.text("state"),
                    item.text("problem")));
    return table.text(paint, "no items\n");
  }
}
