package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.Words;
import java.util.List;
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
        status(run),
        run.time("createdAt"),
        run.time("endedAt"),
        run.text("duplicates"));
  }

  /** Returns the status, and that a run which is being canceled or undone waits for a person. */
  static String status(Item run) {
    String status = run.text("status");
    boolean isHidden = run.text("failureClass").equals("review") && !status.equals("review");
    return isHidden ? status + ", in review" : status;
  }

  /** Returns what a run that did not succeed needs, in words; empty if nothing failed. */
  static String failureClass(String word) {
    return switch (word) {
      case "retryable" -> "failed, retryable";
      case "person" -> "failed, needs a person";
      default -> word;
    };
  }

  static String sheet(Item run, Paint paint) {
    Item error = run.inner("error");
    Item blocked = run.inner("blocked");
    return new Sheet()
        .line("flow", run.text("flow") + ", release " + run.text("release"))
        .line("key", run.text("key"))
        .line("search", run.text("search"))
        .line("status", status(run))
        .line("retryable", run.text("status").equals("failed") ? run.text("retryable") : "")
        .line("created", run.time("createdAt"))
        .line("due", run.time("dueAt"))
        .line("ended", run.time("endedAt"))
        .line("duplicates", run.text("duplicates").equals("0") ? "" : run.text("duplicates"))
        .line("input", run.text("input"))
        .line("output", run.text("output"))
        .line("error", error.text("code").isEmpty() ? "" : errorOf(error))
        .line("class", failureClass(run.text("failureClass")))
        .line("advice", error.text("advice"))
        .line("docs", error.text("docs"))
        .line("blocked", blocked.text("code").isEmpty() ? "" : errorOf(blocked))
        .text("run " + run.text("id"), paint);
  }

  /** Stopped duplicates as people read them: when, by which door, and from whom. */
  static String duplicates(List<Item> stopped, Paint paint) {
    var table = new Table("STOPPED", "DOOR", "CALLER");
    stopped.forEach(one -> table.row(one.time("at"), one.text("door"), one.text("caller")));
    return table.text(paint, "");
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
    text.append(paint.strong(value(entry, "type")));
    append(text, " ", value(entry, "step"));
    append(text, "[", value(entry, "item"), "]");
    append(text, " attempt ", value(entry, "attempt"));
    append(text, " key ", value(entry, "key"));
    append(text, " guard ", value(entry, "guard"));
    append(text, " is ", paint.status(value(entry, "state")));
    append(text, " reused from ", value(entry, "reusedFrom"));
    append(text, ": ", value(entry, "decision"));
    append(text, " (", value(entry, "evidence"), ")");
    append(text, " until ", entry.time("waitUntil"));
    append(text, " -> ", value(entry, "output"));
    Item error = entry.inner("error");
    append(text, " failed: ", error.text("code").isEmpty() ? "" : Words.line(errorOf(error)));
    return text.toString();
  }

  /** Made plain before it is painted: afterwards our own colours would be removed too. */
  private static String value(Item entry, String name) {
    return Words.line(entry.text(name));
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
