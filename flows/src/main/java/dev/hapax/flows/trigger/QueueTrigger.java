package dev.hapax.flows.trigger;

import dev.hapax.flow.Tie;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a queue: of a topic, a queue of a broker, or the rows of a table.
 *
 * @param queue the topic, the queue or the table
 * @param given the name of the trigger, if the file gives it one
 * @param group whose consumers share the messages; null: one of the trigger's own
 * @param from where a group without a position begins: a word or a time; null: as the broker has it
 * @param inFlight the most messages that are received before the runs of earlier ones begin; null:
 *     the usual number
 * @param ordered whether messages of one object start their runs in order
 * @param done {@code delete}, or the column that marks a row; null: delete
 * @param tie decides about a message whose version came before with other input
 */
public record QueueTrigger(
    Position position,
    String connection,
    String queue,
    @Nullable String given,
    Format format,
    @Nullable String group,
    @Nullable String from,
    @Nullable Integer batch,
    @Nullable Integer inFlight,
    boolean ordered,
    @Nullable String done,
    @Nullable Template filter,
    @Nullable Template event,
    @Nullable Template object,
    @Nullable Template version,
    Tie tie,
    @Nullable ValueTemplate input)
    implements Trigger {
  private static final String WORD = "queue";
  private static final Type TEMPLATE = new Type.Templated(Place.EVENT);

  static final TriggerForm FORM =
      new TriggerForm(
          WORD,
          "Messages of a queue: a topic of Kafka, a queue of RabbitMQ or SQS, or the rows of a"
              + " table.",
          QueueTrigger::read,
          List.of(
              Shape.of(WORD, "a queue")
                  .must(
                      "connection", Types.CONNECTION, "The broker, or the database with the table.")
                  .must(
                      "queue",
                      new Type.Text("[!-~]([ -~]{0,510}[!-~])?", "orders"),
                      "The topic, the queue (of SQS: its name or URL), or the table.")
                  .may(
                      "name",
                      new Type.Text("[A-Za-z0-9][A-Za-z0-9._-]{0,99}", "shop-orders"),
                      "The name of the trigger, for operators; unique in the tenant. Default: the"
                          + " flow's name.")
                  .may(
                      "format",
                      Types.words("json", "text", "bytes", "avro", "protobuf"),
                      "How a message is read: `json`, `text`, or `bytes`, which become a resource."
                          + " Default: `json`.")
                  .may(
                      "group",
                      new Type.Text("[A-Za-z0-9][A-Za-z0-9._-]{0,199}", "invoicing"),
                      "The consumer group, whose members share the messages of a topic. Default: one"
                          + " of this trigger alone, so that two flows both get all messages.")
                  .may(
                      "from",
                      new Type.Text(
                          "latest|earliest|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,18}Z", "earliest"),
                      "Where the group begins that has read nothing yet: `latest`, `earliest`, or a"
                          + " time such as `2026-11-15T10:00:00Z`. Default: `latest`.")
                  .may(
                      "batch",
                      new Type.Whole(1, 1000),
                      "The most messages that one commit receives. Default: 500 of Kafka, else 100.")
                  .may(
                      "inFlight",
                      new Type.Whole(1, 10_000),
                      "How many runs of the flow may wait for their turn: while so many do, a node"
                          + " leaves the messages at the broker. Default: 1000.")
                  .may(
                      "ordered",
                      new Type.Flag(),
                      "Whether runs of one object follow the order of their messages. The flow's"
                          + " `concurrency` names the object, with `limit: 1`.")
                  .may(
                      "done",
                      new Type.Text("[A-Za-z_][A-Za-z0-9_$]{0,62}", "processed_at"),
                      "`delete`, or the column that gets the time when the row was"
                          + " received. Default: `delete`.")
                  .may(
                      "filter",
                      new Type.Condition(Place.EVENT),
                      "A message for which this is false is acknowledged and starts nothing.")
                  .may(
                      "event",
                      TEMPLATE,
                      "The message's id. Default: where the broker has it, or the row's primary key.")
                  .may("object", TEMPLATE, "The object that the message is about.")
                  .may(
                      "version",
                      TEMPLATE,
                      "The version of the object: a number, a time of RFC 3339 or a text. A message"
                          + " with an older version starts nothing; an equal version with the same"
                          + " input is a duplicate.")
                  .may(
                      "tie",
                      Types.words("apply", "reject", "review"),
                      "What happens to a message whose version came before with other input: it"
                          + " starts a run, is rejected, or waits in the inbox until a person tries"
                          + " it again. Default: `apply`.")
                  .may(
                      "input",
                      new Type.Value(Place.EVENT),
                      "The run's input; default is the message's body.")
                  .build()));

  /** How the bytes of a message are read. */
  public enum Format {
    JSON,
    TEXT,
    BYTES,
    /** Needs a schema registry; this version reads none. */
    AVRO,
    /** As above. */
    PROTOBUF
  }

  private static QueueTrigger read(
      Position position, Fields queue, Consumer<FileProblem> problems) {
    if (queue.has("tie") && !(queue.has("object") && queue.has("version"))) {
      problems.accept(
          new FileProblem(
              FileProblem.SCHEMA,
              queue.position("tie"),
              "tie needs 'object' and 'version'",
              "Add them: a message without a version cannot have an equal one."));
    }
    String from = queue.textOrNull("from");
    if (from != null && !isStart(from)) {
      problems.accept(
          new FileProblem(
              FileProblem.SCHEMA,
              queue.position("from"),
              "from: '%s' is no time".formatted(from),
              "Write latest, earliest, or a time such as 2026-11-15T10:00:00Z."));
    }
    return new QueueTrigger(
        position,
        queue.text("connection"),
        queue.text("queue"),
        queue.textOrNull("name"),
        queue.word(Format.class, "format", Format.JSON),
        queue.textOrNull("group"),
        from,
        queue.has("batch") ? queue.whole("batch", 1) : null,
        queue.has("inFlight") ? queue.whole("inFlight", 1) : null,
        queue.flag("ordered"),
        queue.textOrNull("done"),
        queue.templateOrNull("filter"),
        queue.templateOrNull("event"),
        queue.templateOrNull("object"),
        queue.templateOrNull("version"),
        queue.word(Tie.class, "tie", Tie.APPLY),
        queue.valueOrNull("input"));
  }

  private static boolean isStart(String text) {
    if (text.equals("latest") || text.equals("earliest")) {
      return true;
    }
    try {
      return Instant.parse(text) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** Returns the name under which operators know it. */
  public String nameIn(String flow) {
    return given == null ? flow : given;
  }

  @Override
  public String word() {
    return WORD;
  }

  @Override
  public String description() {
    return "queue " + queue;
  }

  @Override
  public @Nullable String insteadOfIt() {
    return format == Format.AVRO || format == Format.PROTOBUF
        ? "Messages in this format need a schema registry. Publish JSON, or use 'format: bytes' and"
            + " decode the resource in a step."
        : null;
  }

  @Override
  public String label() {
    return queue;
  }

  @Override
  public @Nullable ValueTemplate givenInput() {
    return input;
  }

  @Override
  public String identity(boolean isKeyed) {
    return event == null ? "the message's own id" : event.source();
  }

  @Override
  public String again() {
    String same = "a message that is delivered again gets the first answer, for at least 30 days";
    return version == null ? same : same + "; an older version of the same object starts nothing";
  }
}
