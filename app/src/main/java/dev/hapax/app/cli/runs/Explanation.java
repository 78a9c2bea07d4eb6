package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Explains a run's state to the person on call. Uses only the run and its history. */
final class Explanation {
  private final Item run;
  private final List<Item> history;
  private final List<Item> reviews;

  Explanation(Item run, List<Item> history, List<Item> reviews) {
    this.run = run;
    this.history = history;
    this.reviews = reviews;
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

  /** Returns what happened, sentence by sentence. */
  List<String> summary() {
    var lines = new ArrayList<String>();
    lines.add("It was accepted at %s.".formatted(run.time("createdAt")));
    lines.add(state());
    String blocked = run.inner("blocked").text("message");
    if (!blocked.isEmpty()) {
      lines.add("It cannot continue: %s.".formatted(blocked));
    }
    long stopped = run.json().path("duplicates").asLong(0);
    if (stopped > 0) {
      lines.add(
          "%s returned this run and started nothing."
              .formatted(Words.count(stopped, "duplicate start")));
    }
    long reused = history.stream().filter(entry -> entry.text("type").equals("reused")).count();
    if (reused > 0) {
      lines.add(
          "%s answered from the ledger and not sent again."
              .formatted(reused == 1 ? "1 effect was" : reused + " effects were"));
    }
    long doubts = history.stream().filter(entry -> entry.text("type").equals("doubt")).count();
    if (doubts > 0) {
      lines.add(
          "%s: the effect was sent and the answer was lost."
              .formatted(Words.count(doubts, "doubt")));
    }
    return lines;
  }

  private String state() {
    Item error = run.inner("error");
    String why = error.text("code").isEmpty() ? "" : ": " + RunText.errorOf(error);
    return switch (run.text("status")) {
      case "succeeded" -> "It succeeded at %s.".formatted(run.time("endedAt"));
      case "failed" -> "It failed at %s%s.".formatted(run.time("endedAt"), why);
      case "partial" ->
          "It ended at %s; some of its items failed%s.".formatted(run.time("endedAt"), why);
      case "review" ->
          isQuarantined()
              ? "It is quarantined: the server seems to end whenever it loads this run, so it is not loaded. %s"
                  .formatted(evidence())
              : "It is stopped: only a person can find out whether an effect happened.";
      case "waiting" -> "It waits %s.".formatted(waitsFor());
      case "queued" -> "It is queued: other runs occupy all slots.";
      case "canceling" -> "It is being canceled; effects in flight are settled first.";
      case "canceled" -> "It was canceled at %s.".formatted(run.time("endedAt"));
      case "compensating" -> "It is undoing its effects, in reverse order%s.".formatted(why);
      case "compensated" ->
          "Its effects were undone; it ended at %s%s.".formatted(run.time("endedAt"), why);
      default -> "It is running.";
    };
  }

  private boolean isQuarantined() {
    return run.inner("error").text("code").equals("quarantined");
  }

  private String evidence() {
    String found = "";
    for (Item entry : history) {
      found = entry.text("type").equals("quarantined") ? entry.text("evidence") : found;
    }
    return found;
  }

  private String waitsFor() {
    Item last = null;
    for (Item entry : history) {
      switch (entry.text("type")) {
        case "wait",
            "approval-asked",
            "callback-awaited",
            "called",
            "call-awaited",
            "held",
            "turn-awaited" ->
            last = entry;
        default -> {}
      }
    }
    if (last == null) {
      return "";
    }
    String until = last.time("waitUntil").isEmpty() ? "" : " until " + last.time("waitUntil");
    String step = last.text("step");
    return switch (last.text("type")) {
      case "approval-asked" -> "for a person's approval in step '%s'%s".formatted(step, until);
      case "callback-awaited" -> "for a callback in step '%s'%s".formatted(step, until);
      case "called", "call-awaited" -> "for another run, in step '%s'".formatted(step);
      case "held" ->
          "for another run that is working on the same effect, in step '%s'".formatted(step);
      default -> "in step '%s'%s".formatted(step, until);
    };
  }

  /** Returns the effects of the run, each in its last state. */
  List<Map<String, Object>> effects() {
    var latest = new LinkedHashMap<String, Map<String, Object>>();
    for (Item entry : history) {
      if (entry.text("wireKey").isEmpty()
          && entry.text("guard").isEmpty()
          && !known(latest, entry)) {
        continue;
      }
      Map<String, Object> effect = latest.computeIfAbsent(place(entry), _ -> new LinkedHashMap<>());
      put(effect, "step", entry.text("step"));
      put(effect, "item", entry.text("item"));
      put(effect, "name", entry.text("effect"));
      put(effect, "key", entry.text("key"));
      put(effect, "guard", entry.text("guard"));
      put(effect, "state", entry.text("state"));
      put(effect, "reusedFrom", entry.text("reusedFrom"));
    }
    latest.values().removeIf(effect -> !effect.containsKey("state"));
    latest
        .values()
        .forEach(effect -> effect.put("meaning", meaning(String.valueOf(effect.get("state")))));
    return List.copyOf(latest.values());
  }

  private static boolean known(Map<String, Map<String, Object>> latest, Item entry) {
    return !entry.text("step").isEmpty() && latest.containsKey(place(entry));
  }

  private static String place(Item entry) {
    return entry.text("step") + "\n" + entry.text("item");
  }

  private static void put(Map<String, Object> effect, String name, String value) {
    if (!value.isEmpty()) {
      effect.put(name, value);
    }
  }

  private static String meaning(String state) {
    return switch (state) {
      case "done" -> "it happened; it is never sent again under this key";
      case "pending" -> "it is being sent, or will be; its guard makes a repeat safe";
      case "doubt" -> "it was sent and may have happened; its guard settles that";
      case "review" -> "it was sent; only a person can find out if it happened";
      case "failed" -> "it did not happen; a retry sends it";
      case "undone" -> "it happened and was undone";
      case "abandoned" -> "it was given up in doubt; it may have happened";
      default -> "";
    };
  }

  /** Returns the possible next steps, the best first. */
  List<Next> next() {
    String id = run.text("id");
    var next = new ArrayList<Next>();
    if (!run.inner("blocked").text("code").isEmpty()) {
      next.add(
          new Next(
              "register",
              "Start a server or program that has the code of release %s; the run then continues by itself."
                  .formatted(run.text("release")),
              ""));
      return next;
    }
    switch (run.text("status")) {
      case "succeeded" ->
          next.add(
              new Next(
                  "none", "Nothing to do. A second start with this key returns this result.", ""));
      case "failed", "partial" -> afterFailure(id, next);
      case "review" -> {
        if (isQuarantined()) {
          inQuarantine(id, next);
        } else {
          settle(next);
        }
      }
      case "waiting" -> whileWaiting(id, next);
      case "canceled", "compensated" ->
          next.add(
              new Next(
                  "forget",
                  "It has ended and its key stays in use. To do the work again, forget the key first;"
                      + " its effects stay in the ledger.",
                  "hapax runs forget %s %s --reason '...'"
                      .formatted(Words.quoted(run.text("flow")), Words.quoted(run.text("key")))));
      default ->
          next.add(
              new Next(
                  "watch",
                  "Nothing to do: it continues by itself, also after a crash.",
                  "hapax runs show %s --watch".formatted(id)));
    }
    return next;
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

  private static void inQuarantine(String id, List<Next> next) {
    next.add(
        new Next(
            "look",
            "Look at the server's log and memory at the times in the evidence. Give the server more memory, or correct the code, before the run continues.",
            "hapax runs history " + id));
    next.add(
        new Next(
            "resume",
            "When the cause is gone: let it continue where it was.",
            "hapax runs resume %s --reason '...'".formatted(id)));
    next.add(
        new Next(
            "cancel",
            "Or end it without loading it. Effects whose outcome is unknown go into review.",
            "hapax runs cancel %s --reason '...'".formatted(id)));
  }

  private void settle(List<Next> next) {
    for (Item effect : reviews) {
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
    if (reviews.isEmpty()) {
      next.add(new Next("look", "List the effects in review.", "hapax review"));
    }
  }

  private void whileWaiting(String id, List<Next> next) {
    if (RunWatch.asksPerson(run, history)) {
      next.add(
          new Next(
              "decide",
              "A person must decide; the run waits until then, however long it takes.",
              "hapax approvals"));
    } else {
      next.add(
          new Next(
              "wait",
              "Nothing to do: the wait survives restarts.",
              "hapax runs show %s --watch".formatted(id)));
    }
    next.add(
        new Next(
            "cancel",
            "Or cancel it: effects in flight are settled first.",
            "hapax runs cancel %s --reason '...'".formatted(id)));
  }
}
