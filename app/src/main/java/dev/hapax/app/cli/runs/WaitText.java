package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.output.Item;
import java.util.ArrayList;
import java.util.List;

/** One of the things that a run waits for, as the person on call reads it. */
record WaitText(Item item) {
  private static final int MOST_NAMED = 5;

  String cause() {
    return item.text("cause");
  }

  boolean asksPerson() {
    return item.is("asksPerson");
  }

  String effect() {
    return item.text("effect");
  }

  /** Returns it as a sentence about the run. */
  String sentence() {
    var text = new StringBuilder("It ").append(item.text("message"));
    if (!item.text("step").isEmpty()) {
      text.append(", in step '").append(item.text("step")).append('\'');
    }
    if (!item.text("item").isEmpty()) {
      text.append(" of item '").append(item.text("item")).append('\'');
    }
    if (!item.text("until").isEmpty()) {
      text.append(cause().equals("retry") ? ", next at " : ", until ").append(item.time("until"));
    }
    text.append('.');
    List<Item> runs = item.items("runs");
    if (!runs.isEmpty()) {
      text.append(
          switch (cause()) {
            case "slot", "lock" -> " Held by ";
            default -> " That is ";
          });
      text.append(String.join("; ", runs.stream().limit(MOST_NAMED).map(WaitText::named).toList()));
      text.append(
          runs.size() > MOST_NAMED ? "; and %d more.".formatted(runs.size() - MOST_NAMED) : ".");
    }
    return text.toString();
  }

  private static String named(Item run) {
    String flow = run.text("flow");
    String of =
        flow.isEmpty()
            ? ""
            : " of flow '%s', key '%s', status %s"
                .formatted(flow, run.text("key"), run.text("status"));
    boolean isPlain = run.text("status").equals("review") || !run.is("asksPerson");
    return "run " + run.text("id") + of + (isPlain ? "" : ", needs a person");
  }

  /** Returns what can be done about it; nothing if it is a review, which needs its effect. */
  List<Explanation.Next> next(String id) {
    return switch (cause()) {
      case "slot", "lock", "effect", "child" -> lookAtOthers();
      case "approval" -> approval();
      case "callback" ->
          one(
              "wait",
              "Nothing to do: the run continues when the other system calls back. Ask that system if the answer is late.");
      case "code" ->
          one(
              "register",
              "Start a server or program that has the code of the run's release; the run then continues by itself.");
      case "quarantine" -> quarantine(id);
      case "restore" ->
          List.of(
              new Explanation.Next(
                  "restore",
                  "Declare what the store is: 'production' if it replaces the store it comes from, 'copy' if that store remains in use.",
                  "hapax restore --as production"));
      case "suspension" ->
          one(
              "resume-tenant",
              "An operator of the server must resume the tenant: hapax tenants resume.");
      case "review" -> List.of();
      case "retry" -> retry(id);
      default -> one("wait", "Nothing to do: the wait survives restarts.");
    };
  }

  /** A pause before an attempt may be ended; a lookup that awaits its settle time may not. */
  private List<Explanation.Next> retry(String id) {
    return item.text("until").isEmpty()
        ? one("wait", "Nothing to do: the wait survives restarts.")
        : List.of(
            new Explanation.Next(
                "try-now",
                "Nothing to do: the wait survives restarts. If what failed works again, make the next attempt now; it counts as an attempt.",
                "hapax runs try-now " + id));
  }

  private static List<Explanation.Next> one(String action, String why) {
    return List.of(new Explanation.Next(action, why, ""));
  }

  private List<Explanation.Next> lookAtOthers() {
    var next = new ArrayList<Explanation.Next>();
    List<Item> runs = item.items("runs");
    List<Item> people = runs.stream().filter(run -> run.is("asksPerson")).toList();
    for (Item run : (people.isEmpty() ? runs : people).stream().limit(MOST_NAMED).toList()) {
      next.add(
          new Explanation.Next(
              "look",
              run.is("asksPerson")
                  ? "A person must decide about run %s; this run continues afterwards."
                      .formatted(run.text("id"))
                  : "Nothing to do if run %s makes progress; this run continues after it."
                      .formatted(run.text("id")),
              "hapax explain " + run.text("id")));
    }
    return next;
  }

  private List<Explanation.Next> approval() {
    String end =
        item.text("until").isEmpty() ? "however long it takes" : "or until the approval expires";
    return List.of(
        new Explanation.Next(
            "decide",
            "A person must decide, with 'hapax approvals approve' or 'reject'. The run waits until then, %s."
                .formatted(end),
            "hapax approvals show " + item.text("approval")));
  }

  private static List<Explanation.Next> quarantine(String id) {
    return List.of(
        new Explanation.Next(
            "look",
            "Look at the server's log and memory at the times in the evidence. Give the server more memory, or correct the code, before the run continues.",
            "hapax runs history " + id),
        new Explanation.Next(
            "resume",
            "When the cause is gone: let it continue where it was.",
            "hapax runs resume %s --reason '...'".formatted(id)),
        new Explanation.Next(
            "cancel",
            "Or end it without loading it. Effects whose outcome is unknown go into review.",
            "hapax runs cancel %s --reason '...'".formatted(id)));
  }
}
