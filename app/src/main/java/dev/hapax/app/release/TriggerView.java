package dev.hapax.app.release;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Trigger;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A trigger of a flow, as people see it: one of these. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TriggerView(@Nullable Webhook webhook, @Nullable Schedule schedule, @Nullable Queue queue) {

  record Webhook(String path, String scheme) {}

  record Schedule(String name, String cron, @Nullable String timezone, String catchUp) {}

  record Queue(String connection, String queue) {}

  static List<TriggerView> of(FlowFile file) {
    return file.triggers().stream().map(TriggerView::of).toList();
  }

  private static TriggerView of(Trigger trigger) {
    return switch (trigger) {
      case Trigger.Webhook webhook ->
          new TriggerView(new Webhook(webhook.path(), scheme(webhook)), null, null);
      case Trigger.Schedule schedule -> new TriggerView(null, schedule(schedule), null);
      case Trigger.Queue queue ->
          new TriggerView(null, null, new Queue(queue.connection(), queue.queue()));
    };
  }

  private static String scheme(Trigger.Webhook webhook) {
    return webhook.verify().scheme().name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Schedule schedule(Trigger.Schedule schedule) {
    ZoneId zone = schedule.timezone();
    return new Schedule(
        schedule.name(),
        schedule.cron().text(),
        zone == null ? null : zone.getId(),
        schedule.catchUp().name().toLowerCase(Locale.ROOT));
  }
}
