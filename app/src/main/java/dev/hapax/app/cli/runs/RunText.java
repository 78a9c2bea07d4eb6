package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.Words;
import java.util.Set;

/** Runs as people read them. */
final class RunText {
  private static final Set<String> SUCCEEDED = Set.of("succeeded");
  private static final Set<String> ENDED_OTHERWISE =
      Set.of("failed", "partial", "canceled", "compensated");

  private RunText() {}

  static boolean hasEnded(Item run) {
    String status = run.text("status");
    return SUCCEEDED.contains(status) || ENDED_OTHERWISE.contains(status);
  }

  static boolean hasEndedBadly(Item run) {
    return ENDED_OTHERWISE.contains(run.text("status"));
  }

  static Table table() {
    return new Table("RUN", "FLOW", "KEY", "STATUS", "CREATED", "ENDED", "DUPLICATES");
  }

  static void row(Table table, Item run) {
    table.row(
        run.text("id"),
        run.text("flow"),
        run.text("key"),
        run.text("status"),
        run.time("createdAt"),
        run.time("endedAt"),
        run.text("duplicates"));
  }

  static String sheet(Item run, Paint paint) {
    Item error = run.inner("error");
    Item blocked = run.inner("blocked");
    return new Sheet()
        .line("flow", run.text("flow") + ", release " + run.text("release"))
        .line("key", run.text("key"))
        .line("search", run.text("search"))
        .line("status", run.text("status"))
        .line("retryable", run.text("status").equals("failed") ? run.text("retryable") : "")
        .line("created", run.time("createdAt"))
        .line("due", run.time("dueAt"))
        .line("ended", run.time("endedAt"))
        .line("duplicates", run.text("duplicates").equals("0") ? "" : run.text("duplicates"))
        .line("input", run.text("input"))
        .line("output", run.text("output"))
        .line("error", error.text("code").isEmpty() ? "" : errorOf(error))
        .line("blocked", blocked.text("code").isEmpty() ? "" : errorOf(blocked))
        .text("run " + run.text("id"), paint);
  }

  static String errorOf(Item error) {
    String step = error.text("step");
    return "%s: %s%s"
        .formatted(
            error.text("code"),
            error.text("message"),
            step.isEmpty() ? "" : " (step %s)".formatted(step));
  }

  /** One line of a history: when, what, where, and why. */
  static String line(Item entry, Paint paint) {
    var text = new StringBuilder(paint.faint(entry.time("at"))).append("  ");
    text.append(paint.strong(entry.text("type")));
    append(text, " ", entry.text("step"));
    append(text, "[", entry.text("item"), "]");
    append(text, " attempt ", entry.text("attempt"));
    append(text, " key ", entry.text("key"));
    append(text, " guard ", entry.text("guard"));
    append(text, " is ", paint.status(entry.text("state")));
    append(text, " reused from ", entry.text("reusedFrom"));
    append(text, ": ", entry.text("decision"));
    append(text, " (", entry.text("evidence"), ")");
    append(text, " until ", entry.time("waitUntil"));
    append(text, " -> ", entry.text("output"));
    Item error = entry.inner("error");
    append(text, " failed: ", error.text("code").isEmpty() ? "" : errorOf(error));
    return Words.line(text.toString());
  }

  private static void append(StringBuilder text, String label, String value) {
    append(text, label, value, "");
  }

  private static void append(StringBuilder text, String label, String value, String end) {
    if (!value.isEmpty()) {
      text.append(label).append(value).append(end);
    }
  }
}
