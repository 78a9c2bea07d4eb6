package dev.hapax.app.release;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A trigger of a flow, as people see it: one of these. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TriggerView(@Nullable Webhook webhook, @Nullable Schedule schedule, @Nullable Queue queue) {

  /**
   * A webhook.
   *
   * @param path as its file has it
   * @param address where it is called on this server
   */
  record Webhook(String path, String address, String scheme) {}

  record Schedule(String name, String cron, @Nullable String timezone, String catchUp) {}

  record Queue(String connection, String queue) {}

  /**
   * Returns the triggers of a file.
   *
   * @param address of a webhook with this path, below {@code /hooks/}
   */
  static List<TriggerView> of(FlowFile file, UnaryOperator<String> address) {
    return file.triggers().stream().map(trigger -> of(trigger, address)).toList();
  }

  private static TriggerView of(Trigger trigger, UnaryOperator<String> address) {
    return switch (trigger) {
      case WebhookTrigger webhook ->
          new TriggerView(webhook(webhook, "/hooks/" + address.apply(webhook.path())), null, null);
      case ScheduleTrigger schedule -> new TriggerView(null, schedule(schedule), null);
      case QueueTrigger queue ->
          new TriggerView(null, null, new Queue(queue.connection(), queue.queue()));
    };
  }

  private static Webhook webhook(WebhookTrigger webhook, String address) {
    return new Webhook(webhook.path(), address, webhook.verify().scheme().word());
  }

  private static Schedule schedule(ScheduleTrigger schedule) {
    ZoneId zone = schedule.timezone();
    return new Schedule(
        schedule.name(),
        schedule.cron().text(),
        zone == null ? null : zone.getId(),
        schedule.catchUp().name().toLowerCase(Locale.ROOT));
  }
}
