package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.Message;
import dev.hapax.flow.Names;
import dev.hapax.flows.connection.BrokerCourier;
import dev.hapax.flows.connection.BrokerMessage;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.WebhookCourier;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A message for the outbox, which makes its own key.
 *
 * @param connection null if it has a URL
 * @param topic of a Kafka cluster; null if it goes to no topic
 * @param queue of another broker; null if it goes to no queue
 * @param key whose messages are delivered in the order in which they were published
 */
record PublishStep(
    Position position,
    @Nullable String connection,
    @Nullable Template url,
    Template type,
    @Nullable Template topic,
    @Nullable Template queue,
    @Nullable Template key,
    ValueTemplate.Mapping headers,
    @Nullable ValueTemplate data)
    implements FlowStepKind {
  private static final String QUEUE = "queue";

  static final StepForm FORM =
      StepForm.mapping(
          "publish",
          "A message, delivered by the outbox.",
          PublishStep::read,
          Shape.of("publish", "publish")
              .either("connection", Types.CONNECTION, "The connection of the receiver.")
              .either("url", Types.TEMPLATE, "A complete address of the receiver.")
              .must("type", Types.TEMPLATE, "The type of the message, for the receiver.")
              .may("topic", Types.TEMPLATE, "The topic, if the connection is of kind `kafka`.")
              .may(
                  QUEUE,
                  Types.TEMPLATE,
                  "The queue, if the connection is of kind `rabbitmq` or `sqs`.")
              .may(
                  "key",
                  Types.TEMPLATE,
                  "Messages of one key are delivered in the order in which they were published. The"
                      + " key of a Kafka message, the message group of an SQS queue.")
              .may(
                  "headers",
                  Types.MEMBERS,
                  "Headers of the message at the broker; those that begin with `hapax-` are"
                      + " written by Hapax.")
              .may("data", Types.VALUE, "The message.")
              .build());

  private static PublishStep read(StepSource source) {
    Fields publish = source.fields();
    boolean isForBroker = publish.has("topic") || publish.has(QUEUE);
    if (publish.has("topic") && publish.has(QUEUE)) {
      source.problem(
          FileProblem.SCHEMA,
          publish.position(QUEUE),
          "publish has a topic and a queue",
          "Remove one: a message goes to a topic of Kafka, or to a queue.");
    }
    if (isForBroker && publish.has("url")) {
      source.problem(
          FileProblem.SCHEMA,
          publish.position("url"),
          "an address has no topics and queues",
          "Name the connection of the broker instead of the url.");
    }
    if (!isForBroker && (publish.has("key") || publish.has("headers"))) {
      source.problem(
          FileProblem.SCHEMA,
          source.position(),
          "key and headers belong to a message for a broker",
          "Remove them, or add topic or queue.");
    }
    for (String header : publish.members("headers").members().keySet()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(BrokerMessage.RESERVED)) {
        source.problem(
            FileProblem.SCHEMA,
            publish.position("headers"),
            "headers: '%s' is written by Hapax".formatted(header),
            "Use another name.");
      }
    }
    return new PublishStep(
        source.position(),
        publish.textOrNull("connection"),
        publish.templateOrNull("url"),
        publish.template("type"),
        publish.templateOrNull("topic"),
        publish.templateOrNull(QUEUE),
        publish.templateOrNull("key"),
        publish.members("headers"),
        publish.valueOrNull("data"));
  }

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public List<ConnectionKind> connectionKinds() {
    if (topic != null) {
      return List.of(ConnectionKind.KAFKA);
    }
    return queue == null
        ? List.of(ConnectionKind.WEBHOOK)
        : List.of(ConnectionKind.RABBITMQ, ConnectionKind.SQS);
  }

  @Override
  public Stream<Template> templates() {
    return Templates.of(url, type, topic, queue, key, headers, data);
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
    Template place = topic == null ? queue : topic;
    if (place != null) {
      return forBroker(step, step.text(place), kind, content);
    }
    if (url == null) {
      return Message.to(courier()).type(kind).data(content);
    }
    var addressed = new LinkedHashMap<String, @Nullable Object>();
    addressed.put("url", step.text(url));
    addressed.put("data", content);
    return Message.to(courier()).type(kind).data(addressed);
  }

  private Message forBroker(StepRun step, String place, String kind, @Nullable Object content) {
    var texts = new LinkedHashMap<String, String>();
    headers
        .members()
        .forEach(
            (name, value) -> {
              Object given = value.value(step.scope());
              if (given != null) {
                texts.put(name, given instanceof String text ? text : Json.write(given));
              }
            });
    String keyed = key == null ? null : step.text(key);
    Message message =
        Message.to(courier())
            .type(kind)
            .data(BrokerCourier.addressed(place, keyed, texts, content));
    return keyed == null ? message : message.inLine(lineOf(place, keyed));
  }

  /** Messages of a key are delivered one after the other, so that the broker has them in order. */
  private static String lineOf(String place, String key) {
    String line = place + "/" + key;
    return line.getBytes(StandardCharsets.UTF_8).length <= Names.LONGEST_KEY_BYTES
        ? line
        : "sha256:" + HexFormat.of().formatHex(Digest.sha256(line));
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
  public String deliveredAgain() {
    if (topic != null) {
      return "sent again with the same id until the cluster accepts it, so the topic can have it twice; readers remove duplicates by the header hapax-id";
    }
    if (queue == null) {
      return FlowStepKind.super.deliveredAgain();
    }
    return Connection.Sqs.isFifo(queue.plain())
        ? "sent again with the same id while the FIFO queue drops repeats, which is for 5 minutes; a message that is in doubt for longer waits for a person, and is not sent again by itself"
        : "sent again with the same id until the broker accepts it, so the queue can have it twice; readers remove duplicates by hapax-id";
  }

  @Override
  public boolean canFail() {
    return false;
  }

  @Override
  public String description() {
    String target = connection != null ? connection : url == null ? "" : url.plain();
    Template place = topic == null ? queue : topic;
    if (place != null) {
      target = "%s of %s".formatted(place.plain(), target);
    }
    return "publish %s to %s".formatted(type.plain(), target);
  }
}
