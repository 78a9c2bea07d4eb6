package dev.hapax.app.release;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Trigger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What starts runs of a flow, as people see it. */
final class Triggers {
  private Triggers() {}

  static List<Map<String, Object>> json(FlowFile file) {
    return file.triggers().stream().map(Triggers::json).toList();
  }

  private static Map<String, Object> json(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Webhook webhook ->
          Map.of("webhook", Map.of("path", webhook.path(), "scheme", scheme(webhook)));
      case Trigger.Schedule schedule -> Map.of("schedule", json(schedule));
      case Trigger.Queue queue ->
          Map.of("queue", Map.of("connection", queue.connection(), "queue", queue.queue()));
    };
  }

  private static String scheme(Trigger.Webhook webhook) {
    return webhook.verify().scheme().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Map<String, @Nullable Object> json(Trigger.Schedule schedule) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("name", schedule.name());
    json.put("cron", schedule.cron().text());
    json.put("timezone", schedule.timezone() == null ? null : schedule.timezone().getId());
    json.put("catchUp", schedule.catchUp().name().toLowerCase(Locale.ROOT));
    return json;
  }
}
