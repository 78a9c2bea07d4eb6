package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import dev.hapax.flows.trigger.Cron;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes triggers of a flow from the trigger nodes of a workflow. */
final class N8nTriggers {
  private final N8nNotes notes;
  private final String timezone;
  private final List<Map<String, Object>> triggers = new ArrayList<>();
  private int schedules;

  N8nTriggers(N8nNotes notes, String timezone) {
    this.notes = notes;
    this.timezone = timezone;
  }

  List<Map<String, Object>> triggers() {
    return triggers;
  }

  /** Adds the trigger, and returns where its items are: in the input of the run. */
  String add(N8nNode node) {
    switch (node.kind()) {
      case "webhook" -> {
        webhook(node);
        return N8nExpressions.WEBHOOK;
      }
      case "scheduleTrigger" ->
          node.parameters().path("rule").path("interval").forEach(one -> schedule(node, one));
      case "cron" ->
          node.parameters().path("triggerTimes").path("item").forEach(one -> schedule(node, one));
      case "manualTrigger", "start", "executeWorkflowTrigger" -> {
        return "input"; // started by the API, the command line or another flow
      }
      default ->
          notes.add(
              node,
              "",
              "trigger",
              "a flow has no trigger of type '%s'".formatted(N8nNotes.place(node.kind())),
              "Let the other system call a webhook, read it on a schedule, or start the flow by the API.");
    }
    return "input";
  }

  private void webhook(N8nNode node) {
    String path =
        node.text("path").replaceAll("[^A-Za-z0-9._/-]", "-").replaceFirst("^[^A-Za-z0-9]+", "");
    String usable =
        path.isEmpty()
            ? SkeletonNames.slug(node.name(), "hook")
            : path.substring(0, Math.min(100, path.length()));
    triggers.add(Map.of("webhook", ordered("path", usable, "verify", Map.of("scheme", "none"))));
    notes.add(
        node,
        "",
        "webhook-signature",
        "the webhook checks no signature, so anyone who knows its address can start runs",
        "Set verify to the sender's scheme and the name of its secret.");
    notes.add(
        node,
        "",
        "no-key",
        "n8n starts a run for every delivery, also for one that is sent again",
        "Set event to the sender's id of the event, for example ${event.body.id}, and the flow's key to the id of the unit of work.");
    String method = node.parameters().path("httpMethod").asString("GET");
    if (!method.equals("POST")) {
      notes.add(
          node,
          "",
          "webhook-method",
          "the webhook is called with %s, and hooks of Hapax are called with POST"
              .formatted(N8nNotes.place(method)),
          "Change the caller, or start the flow by the API.");
    }
  }

  private void schedule(N8nNode node, JsonNode rule) {
    String cron = cron(rule);
    if (cron == null || !isCron(cron)) {
      notes.add(
          node,
          "",
          "schedule",
          "this interval cannot be written as a cron expression of five fields",
          "Add a schedule by hand; the shortest interval is a minute.");
      return;
    }
    String suffix = ++schedules == 1 ? "" : "-" + schedules;
    Map<String, Object> schedule =
        ordered("name", SkeletonNames.slug(notes.flow(), "schedule") + suffix, "cron", cron);
    String zone = zone();
    if (zone == null) {
      notes.add(
          node,
          "",
          "timezone",
          "the workflow names no time zone, so n8n used that of its instance",
          "Add timezone to the schedule; without it, the times are in UTC.");
    } else {
      schedule.put("timezone", zone);
    }
    schedule.put("catchUp", "none");
    schedule.put("input", Map.of("time", "${schedule.time}"));
    triggers.add(Map.of("schedule", schedule));
  }

  private @Nullable String zone() {
    try {
      return timezone.isEmpty() || timezone.equals("DEFAULT") ? null : ZoneId.of(timezone).getId();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static boolean isCron(String cron) {
    try {
      Cron.of(cron);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the five fields of a rule; null if it has none. */
  private static @Nullable String cron(JsonNode rule) {
    int minute = rule.path("triggerAtMinute").asInt(rule.path("minute").asInt(0));
    int hour = rule.path("triggerAtHour").asInt(rule.path("hour").asInt(0));
    return switch (rule.path("field").asString(rule.path("mode").asString("everyDay"))) {
      case "cronExpression" -> fiveFields(rule.path("expression").asString(""));
      case "custom" -> fiveFields(rule.path("cronExpression").asString(""));
      case "minutes", "everyMinute" -> "*/%d * * * *".formatted(number(rule, "minutesInterval", 1));
      case "hours", "everyHour" ->
          "%d */%d * * *".formatted(minute, number(rule, "hoursInterval", 1));
      case "days", "everyDay" ->
          number(rule, "daysInterval", 1) == 1 ? "%d %d * * *".formatted(minute, hour) : null;
      case "weeks", "everyWeek" ->
          number(rule, "weeksInterval", 1) == 1
              ? "%d %d * * %s".formatted(minute, hour, weekdays(rule))
              : null;
      case "months", "everyMonth" ->
          "%d %d %d */%d *"
              .formatted(
                  minute,
                  hour,
                  rule.path("triggerAtDayOfMonth").asInt(rule.path("dayOfMonth").asInt(1)),
                  number(rule, "monthsInterval", 1));
      default -> null;
    };
  }

  private static int number(JsonNode rule, String name, int usual) {
    return rule.path(name).asInt(usual);
  }

  private static String weekdays(JsonNode rule) {
    var days = new ArrayList<String>();
    rule.path("triggerAtDay").forEach(day -> days.add(String.valueOf(day.asInt(0))));
    if (days.isEmpty()) {
      days.add(rule.path("weekday").asString("0"));
    }
    return String.join(",", days);
  }

  /** n8n also takes six fields, with the seconds first. */
  private static @Nullable String fiveFields(String expression) {
    String[] fields = expression.strip().split("\\s+", -1);
    if (fields.length == 6 && fields[0].matches("0+")) {
      return String.join(" ", List.of(fields).subList(1, 6));
    }
    return fields.length == 5 ? String.join(" ", fields) : null;
  }
}
