package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Message;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.flows.file.StepKind;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Publishes a message through the outbox. */
final class PublishStep {
  private PublishStep() {}

  static Map<String, Object> run(StepRun step, StepKind.Publish publish) {
    Message message = Guarded.prepared(step, () -> message(step, publish));
    if (step.isDraft()) {
      return drafted(step, message);
    }
    return Map.of("id", step.run().publish(step.id(), message));
  }

  /** Records an effect, which shows the message that would be sent, and its destination. */
  private static Map<String, Object> drafted(StepRun step, Message message) {
    Effect<Message> told =
        Effect.notify(step.run().id() + "/" + step.id()).request(message).keyed();
    return Map.of("id", step.run().effect(step.id(), told, (key, _) -> key, String.class));
  }

  private static Message message(StepRun step, StepKind.Publish publish) {
    Object data = publish.data() == null ? null : publish.data().value(step.scope());
    String type = step.text(publish.type());
    if (publish.url() == null) {
      return Message.to(String.valueOf(publish.connection())).type(type).data(data);
    }
    var addressed = new LinkedHashMap<String, @Nullable Object>();
    addressed.put("url", step.text(publish.url()));
    addressed.put("data", data);
    return Message.to(WebhookCourier.ANYWHERE).type(type).data(addressed);
  }
}
