package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Message;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message for the outbox, which makes its own key.
 *
 * @param connection null if it has a URL
 */
record PublishStep(
    Position position,
    @Nullable String connection,
    @Nullable Template url,
    Template type,
    @Nullable ValueTemplate data)
    implements FlowStepKind {
  static final StepForm FORM =
      StepForm.mapping(
          "publish",
          "A message, delivered by the outbox.",
          PublishStep::read,
          Shape.of("publish", "publish")
              .either("connection", Types.CONNECTION, "The connection of the receiver.")
              .either("url", Types.TEMPLATE, "A complete address of the receiver.")
              .must("type", Types.TEMPLATE, "The type of the message, for the receiver.")
              .may("data", Types.VALUE, "The message.")
              .build());

  private static PublishStep read(StepSource source) {
    Fields publish = source.fields();
    return new PublishStep(
        source.position(),
        publish.textOrNull("connection"),
        publish.templateOrNull("url"),
        publish.template("type"),
        publish.valueOrNull("data"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public ConnectionKind connectionKind() {
    return ConnectionKind.WEBHOOK;
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(url, type, data);
  }

  @Override
  public Map<String, Object> run(StepRun step) {
    Message message = Guarded.prepared(step, () -> message(step));
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

  private Message message(StepRun preparing) {
    StepRun step = preparing.with(preparing.scope().asOneValue());
    Object content = data == null ? null : data.value(step.scope());
    String kind = step.text(type);
    if (url == null) {
      return Message.to(courier()).type(kind).data(content);
    }
    var addressed = new LinkedHashMap<String, @Nullable Object>();
    addressed.put("url", step.text(url));
    addressed.put("data", content);
    return Message.to(courier()).type(kind).data(addressed);
  }

  @Override
  public String courier() {
    return connection == null ? WebhookCourier.ANYWHERE : connection;
  }

  @Override
  public Stream<String> connections() {
    return Stream.ofNullable(connection);
  }

  @Override
  public boolean canFail() {
    return false;
  }

  @Override
  public String description() {
    String target = connection != null ? connection : url == null ? "" : url.plain();
    return "publish %s to %s".formatted(type.plain(), target);
  }
}
