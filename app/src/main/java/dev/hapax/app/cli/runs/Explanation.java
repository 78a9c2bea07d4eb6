package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Explains a run's state to the person on call, from the run, its history and its waits. */
final class Explanation {
  private static final int MOST_DOUBTS = 5;
  private static final int MOST_DUPLICATES = 3;

  private final Item run;
  private final List<Item> history;
  private final List<WaitText> waits;
  private final List<Item> reviews;
  private final List<Item> duplicates;

  /**
   * An explanation.
   *
   * @param reviews the effects in review that the run waits for
   * @param duplicates the last ones that it has stopped, the newest first
   */
  Explanation(
      Item run,
      List<Item> history,
      List<WaitText> waits,
      List<Item> reviews,
      List<Item> duplicates) {
    this.run = run;
    this.history = history;
    this.waits = waits;
    this.reviews = reviews;
    this.duplicates = duplicates;
  }

  /**
   * A step that can be taken.
   *
   * @param command empty if there is nothing to type
   */
  record Next(String action, String why, String command) {
    Map<String, Object> json() {
      var json = new LinkedHashMap<String, Object>();
      json.put("action", action);
      json.put("why", why);
      json.put("command", command.isEmpty() ? null : command);
      return json;
    }
  }

  /** Returns what a run that did not succeed needs; empty if nothing failed. */
  String failureClass() {
    String known = run.text("failureClass");
    return known.isEmpty() && nextAttempt() != null ? "retryable" : known;
  }

  /** Returns the wait for the next attempt of a step that failed; null if there is none. */
  @Nullable WaitText nextAttempt() {
    return waits.stream().filter(wait -> wait.cause().equals("retry")).findFirst().orElse(null);
  }

  private void failure(List<String> lines) {
    String known = failureClass();
    if (known.isEmpty()) {
      return;
    }
    Item error = run.inner("error");
    WaitText again = nextAttempt();
    String more =
        again == null
            ? error.text("advice")
            : "The next attempt is at %s.".formatted(again.item().time("until"));
    lines.add("Class: %s. %s".formatted(RunText.failureClass(known), more).strip());
    if (!error.text("docs").isEmpty()) {
      lines.add("About '%s': %s".formatted(error.text("code"), error.text("docs")));
    }
  }

  private String erased() {
    return history.stream()
        .filter(entry -> entry.text("type").equals("erased"))
        .findFirst()
        .map(
            entry ->
                "Its values were erased at %s: %s. It cannot be retried or replayed."
                    .formatted(entry.time("at"), entry.text("evidence")))
        .orElse("Its values were erased. It cannot be retried or replayed.");
  }

  boolean asksPerson() {
    return failureClass().equals("review")
        || run.text("status").equals("review")
        || waits.stream().anyMatch(WaitText::asksPerson);
  }

  /** Returns what happened, sentence by sentence. */
  List<String> summary() {
    var lines = new ArrayList<String>();
    lines.add("It was accepted at %s.".formatted(run.time("createdAt")));
    String state = state();
    if (!state.isEmpty()) {
      lines.add(state);
    }
    if (run.json().path("erased").asBoolean(false)) {
      lines.add(erased());
    }
    waits.forEach(wait -> lines.add(wait.sentence()));
    failure(lines);
    if (has("quarantine")) {
      lines.add("Evidence: " + evidence());
    }
    long stopped = run.json().path("duplicates").asLong(0);
    if (stopped > 0) {
      lines.add(
          stopped == 1
              ? "1 duplicate was stopped and changed nothing."
              : "%d duplicates were stopped and changed nothing.".formatted(stopped));
      duplicates.stream().limit(MOST_DUPLICATES).map(Explanation::told).forEach(lines::add);
    }
    long reused = history.stream().filter(entry -> entry.text("type").equals("reused")).count();
    if (reused > 0) {
      lines.add(
          "%s answered from the ledger and not sent again."
              .formatted(reused == 1 ? "1 effect was" : reused + " effects were"));
    }
    doubts(lines);
    return lines;
  }

  private static String told(Item stopped) {
    String caller = stopped.text("caller");
    return "Duplicate at %s, by %s%s."
        .formatted(
            stopped.time("at"),
            switch (stopped.text("door")) {
              case "inbox" -> "an event";
              case "child" -> "another run";
              case "answer" -> "a second answer";
              default -> "a start";
            },
            caller.isEmpty() ? "" : ": " + caller);
  }

  /** Says why each doubt arose, in the words of its evidence. */
  private void doubts(List<String> lines) {
    List<Item> doubts =
        history.stream()
            .filter(
                entry -> entry.text("type").equals("doubt") || entry.text("type").equals("review"))
            .toList();
    for (Item doubt : doubts.subList(0, Math.min(MOST_DOUBTS, doubts.size()))) {
      String attempt = doubt.text("attempt").isEmpty() ? "" : ", attempt " + doubt.text("attempt");
      String item = doubt.text("item").isEmpty() ? "" : "[" + doubt.text("item") + "]";
      String why = doubt.text("evidence").isEmpty() ? "" : ": " + doubt.text("evidence");
      String decision = doubt.text("decision").isEmpty() ? "" : "; " + doubt.text("decision");
      lines.add(
          "%s in step '%s'%s%s%s%s."
              .formatted(
                  doubt.text("type").equals("doubt") ? "Doubt" : "Review",
                  doubt.text("step"),
                  item,
                  attempt,
                  why,
                  decision));
    }
    if (doubts.size() > MOST_DOUBTS) {
      lines.add(
          "%d more doubts and reviews are in its history.".formatted(doubts.size() - MOST_DOUBTS));
    }
  }

  /** Returns the state as a sentence; empty if its waits say it. */
  private String state() {
    Item error = run.inner("error");
    String why = error.text("code").isEmpty() ? "" : ": " + RunText.errorOf(error);
    return switch (run.text("status")) {
      case "succeeded" -> "It succeeded at %s.".formatted(run.time("endedAt"));
      case "failed" -> "It failed at %s%s.".formatted(run.time("endedAt"), why);
      case "partial" ->
          "It ended at %s; some of its items failed%s.".formatted(run.time("endedAt"), why);
      case "review" -> has("quarantine") ? "" : "It is stopped: only a person can let it continue.";
      case "waiting" -> waits.isEmpty() ? "It is about to continue%s.".formatted(due()) : "";
      case "queued" ->
          waits.isEmpty()
              ? "It is queued: it starts when a node has room for it."
              : "It is queued.";
      case "canceling" ->
          "It is being canceled%s; effects in flight or in doubt are settled first."
              .formatted(canceledBy());
      case "canceled" -> "It was canceled at %s%s.".formatted(run.time("endedAt"), canceledBy());
      case "compensating" -> "It is undoing its effects, in reverse order%s.".formatted(why);
      case "compensated" ->
          "Its effects were undone; it ended at %s%s.".formatted(run.time("endedAt"), why);
      default -> "It is running.";
    };
  }

  private String due() {
    return run.time("dueAt").isEmpty() ? "" : ": it is due at " + run.time("dueAt");
  }

  private String canceledBy() {
    Item cancel = run.inner("cancel");
    if (cancel.text("by").isEmpty()) {
      return "";
    }
    String reason = cancel.text("reason");
    return " by %s%s".formatted(cancel.text("by"), reason.isEmpty() ? "" : " (" + reason + ")");
  }

  private boolean has(String cause) {
    return waits.stream().anyMatch(wait -> wait.cause().equals(cause));
  }

  private String evidence() {
    String found = "";
    for (Item entry : history) {
      found = entry.text("type").equals("quarantined") ? entry.text("evidence") : found;
    }
    return found;
  }

  /** Returns the effects of the run, each in its last state. */
  List<Map<String, Object>> effects() {
    return EffectStates.of(history);
  }

  /** Returns the possible next steps, the best first. */
  List<Next> next() {
    String id = run.text("id");
    var next = new ArrayList<Next>();
    switch (run.text("status")) {
      case "succeeded" ->
          next.add(
              new Next(
                  "none", "Nothing to do. A second start with this key returns this result.", ""));
      case "failed", "partial" -> afterFailure(id, next);
      case "canceled", "compensated" ->
          next.add(
              new Next(
                  "forget",
                  "It has ended and its key stays in use. To do the work again, forget the key first;"
                      + " its effects stay in the ledger.",
                  "hapax runs forget %s %s --reason '...'"
                      .formatted(Words.quoted(run.raw("flow")), Words.quoted(run.raw("key")))));
      default -> whileOpen(id, next);
    }
    return next;
  }

  private void whileOpen(String id, List<Next> next) {
    settle(next);
    waits.stream()
        .flatMap(wait -> wait.next(id).stream())
        .filter(step -> !next.contains(step))
        .forEach(next::add);
    if (next.isEmpty()) {
      next.add(
          new Next(
              "watch",
              "Nothing to do: it continues by itself, also after a crash.",
              "hapax runs show %s --watch".formatted(id)));
    }
    String status = run.text("status");
    boolean canCancel = status.equals("waiting") || status.equals("queued");
    if (canCancel && !has("quarantine")) {
      next.add(
          new Next(
              "cancel",
              "Or cancel it: effects in flight are settled first.",
              "hapax runs cancel %s --reason '...'".formatted(id)));
    }
  }

  private void afterFailure(String id, List<Next> next) {
    boolean again = run.text("status").equals("partial") || run.is("retryable");
    next.add(
        new Next(
            "retry",
            again
                ? "Retry: it continues with what failed. What was done is kept and not sent again."
                : "A retry is safe, but fails the same way unless the input or an external system"
                    + " has changed.",
            "hapax runs retry %s --wait".formatted(id)));
    if (!again) {
      next.add(
          new Next(
              "retry-with-input",
              "Retry with a corrected input that has the same key.",
              "hapax runs retry %s --input @corrected.json --wait".formatted(id)));
    }
    String step = run.inner("error").text("step");
    if (!step.isEmpty()) {
      next.add(
          new Next(
              "settle-step",
              "If the step was done by hand: record its output, and the run continues.",
              "hapax runs settle-step %s %s --output '{...}' --reason '...'".formatted(id, step)));
    }
  }

  private void settle(List<Next> next) {
    for (Item effect : reviews) {
      String runbook = effect.text("runbook");
      if (!runbook.isEmpty()) {
        next.add(new Next("runbook", "The flow says: " + runbook, ""));
      }
      if (effect.text("evidence").contains("onRework: review")) {
        keepOrSendAgain(effect, next);
        continue;
      }
      next.add(
          new Next(
              "look",
              "Look up at the destination whether '%s' with key '%s' happened (wire key %s). Evidence: %s"
                  .formatted(
                      effect.text("name"),
                      effect.text("key"),
                      effect.text("wireKey"),
                      effect.text("evidence")),
              "hapax review show " + effect.text("id")));
      next.add(
          new Next(
              "settle",
              "Then record it: happened (the run continues), not-happened (it is sent again), or"
                  + " abandon (its step fails).",
              "hapax review settle %s happened --revision %s --attempt %s --external-id ... --reason '...'"
                  .formatted(effect.text("id"), effect.text("revision"), effect.text("attempts"))));
    }
    if (reviews.isEmpty() && run.text("status").equals("review") && waits.isEmpty()) {
      next.add(new Next("look", "List the effects in review.", "hapax review"));
    }
  }

  /** Nothing is in doubt: it happened, and a rework has changed its content. */
  private static void keepOrSendAgain(Item effect, List<Next> next) {
    next.add(
        new Next(
            "look",
            "Decide whether '%s' with key '%s' stays as it was sent (wire key %s). Evidence: %s"
                .formatted(
                    effect.text("name"),
                    effect.text("key"),
                    effect.text("wireKey"),
                    effect.text("evidence")),
            "hapax review show " + effect.text("id")));
    next.add(
        new Next(
            "settle",
            "Then record it: happened (what was sent stays, and the run continues), not-happened (it"
                + " is not there any more: the new content is sent as the next revision), or abandon"
                + " (its step fails, and what was sent stays).",
            "hapax review settle %s happened --revision %s --attempt %s --reason '...'"
                .formatted(effect.text("id"), effect.text("revision"), effect.text("attempts"))));
  }
}
