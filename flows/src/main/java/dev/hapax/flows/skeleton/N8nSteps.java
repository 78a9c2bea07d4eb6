package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes a step from a node that has one way on. */
final class N8nSteps {
  private final N8nNotes notes;

  N8nSteps(N8nNotes notes) {
    this.notes = notes;
  }

  /**
   * A step, and where its items are.
   *
   * @param place null if nothing is known about them
   */
  record Made(SkeletonStep step, @Nullable String place) {}

  Made of(N8nNode node, String id, N8nExpressions expressions) {
    Made made = made(node, id, expressions);
    if (node.json().has("credentials") && !node.kind().equals("httpRequest")) {
      notes.add(
          node,
          id,
          "credential",
          "the node uses a credential of n8n, which was not copied",
          "Store it with 'hapax secrets put', and name it in a connection.");
    }
    trouble(node, made.step());
    return made;
  }

  private Made made(N8nNode node, String id, N8nExpressions expressions) {
    String output = "steps." + id + ".output";
    return switch (node.kind()) {
      case "httpRequest" ->
          new Made(new N8nRequests(node, expressions, notes).step(id), output + ".body");
      case "set" -> new Made(set(node, id, expressions), output);
      case "wait" -> new Made(pause(node, id, expressions), expressions.current());
      case "emailSend" -> new Made(mail(node, id, expressions), expressions.current());
      case "postgres" -> sql(node, id, output, expressions);
      case "executeWorkflow" -> new Made(child(node, id), output);
      case "respondToWebhook" -> new Made(respond(node, id, expressions), expressions.current());
      case "stopAndError" -> new Made(fail(node, id, expressions), null);
      default -> new Made(unknown(node, id), null);
    };
  }

  private SkeletonStep set(N8nNode node, String id, N8nExpressions expressions) {
    var left = new ArrayList<String>();
    var values = new LinkedHashMap<String, Object>();
    JsonNode parameters = node.parameters();
    for (JsonNode one : parameters.path("assignments").path("assignments")) {
      put(values, one, one.path("value"), expressions, left);
    }
    for (JsonNode one : parameters.path("fields").path("values")) {
      put(values, one, one.path("stringValue"), expressions, left);
    }
    for (JsonNode type : parameters.path("values")) {
      type.forEach(one -> put(values, one, one.path("value"), expressions, left));
    }
    if (values.isEmpty()) {
      return unknown(node, id);
    }
    notes.expressions(node, id, left);
    return new SkeletonStep(id).with("set", values);
  }

  private static void put(
      Map<String, Object> values,
      JsonNode field,
      JsonNode value,
      N8nExpressions expressions,
      List<String> left) {
    String name = N8nNotes.place(field.path("name").asString(""));
    N8nExpressions.Translated translated = expressions.value(value);
    left.addAll(translated.left());
    if (Sensitive.isName(name)) {
      left.add("the value of '%s', which may be a credential".formatted(name));
    }
    Object plain = Sensitive.isName(name) ? Sensitive.HIDDEN : translated.value();
    if (!name.isEmpty()) {
      values.put(name, plain == null ? "" : plain);
    }
  }

  private SkeletonStep pause(N8nNode node, String id, N8nExpressions expressions) {
    String resume = node.text("resume");
    if (resume.equals("webhook") || resume.equals("form")) {
      notes.add(
          node,
          id,
          "callback",
          "the workflow waits for a call",
          "Give its address to the other system in an earlier step: ${callback('%s').url}."
              .formatted(id));
      return new SkeletonStep(id).with("wait", Map.of("callback", Map.of("expires", "3d")));
    }
    if (resume.equals("specificTime")) {
      var left = new ArrayList<String>();
      String time = expressions.text(node.text("dateTime"), left);
      notes.expressions(node, id, left);
      return new SkeletonStep(id).with("wait", Map.of("until", time));
    }
    long amount = node.parameters().path("amount").asLong(1);
    String unit =
        switch (node.text("unit")) {
          case "seconds" -> "s";
          case "minutes" -> "m";
          case "days" -> "d";
          default -> "h";
        };
    return amount < 1 || amount > 10_000
        ? unknown(node, id)
        : new SkeletonStep(id).with("wait", Map.of("for", amount + unit));
  }

  private SkeletonStep mail(N8nNode node, String id, N8nExpressions expressions) {
    var left = new ArrayList<String>();
    String text = node.text("text").isEmpty() ? node.text("message") : node.text("text");
    Map<String, Object> email =
        ordered(
            "connection", "smtp",
            "to", orTodo(expressions.text(node.text("toEmail"), left)),
            "subject", orTodo(expressions.text(node.text("subject"), left)));
    if (!text.isEmpty() || node.text("html").isEmpty()) {
      email.put("text", orTodo(expressions.text(text, left)));
    }
    if (!node.text("html").isEmpty()) {
      email.put("html", expressions.text(node.text("html"), left));
    }
    notes.expressions(node, id, left);
    notes.add(
        node,
        id,
        "guard",
        "a mail cannot be looked up, and n8n sends it again with every run",
        "Set the effect's key to what the mail is about; in doubt, a person decides.");
    return new SkeletonStep(id).with("email", email).effect("notify", "none", expressions.unit());
  }

  private static String orTodo(String text) {
    return text.isEmpty() ? "TODO" : text;
  }

  private Made sql(N8nNode node, String id, String output, N8nExpressions expressions) {
    String sql = node.text("query").strip().replaceFirst(";$", "");
    boolean isConstant =
        node.text("operation").equals("executeQuery")
            && !sql.isEmpty()
            && sql.length() < 9_000
            && !sql.contains("{{")
            && !sql.contains("${")
            && !sql.contains(";")
            && !sql.matches("(?s).*\\$[0-9].*");
    if (!isConstant) {
      return new Made(unknown(node, id), null);
    }
    var step = new SkeletonStep(id).with("db", ordered("connection", "postgres", "sql", sql));
    if (!sql.matches("(?is)select\\b.*")) {
      step.effect("update", "transaction", expressions.unit());
      notes.add(
          node,
          id,
          "guard",
          "the statement changes data",
          "Set the effect's key to the id of the unit of work.");
    }
    return new Made(step, output + ".rows[0]");
  }

  private SkeletonStep child(N8nNode node, String id) {
    JsonNode workflow = node.parameters().path("workflowId");
    String name =
        workflow.path("cachedResultName").asString(workflow.isString() ? workflow.asString() : "");
    String flow = SkeletonNames.slug(name, "todo");
    notes.add(
        node,
        id,
        "child-flow",
        "the node runs another workflow",
        "Import that workflow too, and check that its flow is named '%s' and gets this input."
            .formatted(flow));
    return new SkeletonStep(id).with("flow", ordered("name", flow, "input", "${input}"));
  }

  private SkeletonStep respond(N8nNode node, String id, N8nExpressions expressions) {
    var left = new ArrayList<String>();
    String body = expressions.text(node.text("responseBody"), left);
    notes.expressions(node, id, left);
    notes.add(
        node,
        id,
        "respond",
        "a webhook of Hapax answers at once with {run, outcome}, not with a result",
        "If the caller needs the result, let it start the flow by the API with 'Prefer: wait=30'.");
    return new SkeletonStep(id).with("set", Map.of("body", body));
  }

  private SkeletonStep fail(N8nNode node, String id, N8nExpressions expressions) {
    var left = new ArrayList<String>();
    String message = expressions.text(node.text("errorMessage"), left);
    notes.expressions(node, id, left);
    return new SkeletonStep(id)
        .with("fail", ordered("code", "stopped", "message", orTodo(message)));
  }

  /** Fails until a person replaces it; the node itself is in the comment. */
  SkeletonStep unknown(N8nNode node, String id) {
    String kind = N8nNotes.place(node.kind());
    notes.add(
        node,
        id,
        "node",
        "node '%s' of type '%s' has no counterpart here"
            .formatted(N8nNotes.place(node.name()), kind),
        "Replace step '%s': http with a connection, call with a handler in Java, or another flow."
            .formatted(id));
    return SkeletonStep.todo(id, "replace the node of type " + kind).comment(N8nComment.of(node));
  }

  private static void trouble(N8nNode node, SkeletonStep step) {
    JsonNode json = node.json();
    if (json.path("retryOnFail").asBoolean(false)) {
      int tries = Math.clamp(json.path("maxTries").asInt(3), 1, 1_000);
      int delay = Math.clamp(json.path("waitBetweenTries").asInt(1_000), 1, 3_600_000);
      step.with("retry", ordered("attempts", tries, "delay", delay + "ms"));
    }
    boolean goesOn =
        json.path("continueOnFail").asBoolean(false)
            || json.path("onError").asString("").startsWith("continue");
    if (goesOn && !step.fields().containsKey("fail")) {
      step.with("onError", "continue");
    }
  }
}
