package dev.hapax.flows.trigger;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Place;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages of a queue; it can be read and shown, and starts nothing yet. */
public record QueueTrigger(
    Position position,
    String connection,
    String queue,
    @Nullable Template event,
    @Nullable ValueTemplate input)
    implements Trigger {
  private static final String WORD = "queue";

  static final TriggerForm FORM =
      new TriggerForm(
          WORD,
          "Messages of a queue.",
          (position, fields, _) -> read(position, fields),
          List.of(
              Shape.of(WORD, "a queue")
                  .must("connection", Types.CONNECTION, "The broker.")
                  .must("queue", Types.TEXT, "The name of the queue.")
                  .may("event", new Type.Templated(Place.EVENT), "The message's id.")
                  .may("input", new Type.Value(Place.EVENT), "The run's input.")
                  .build()));

  private static QueueTrigger read(Position position, Fields queue) {
    return new QueueTrigger(
        position,
        queue.text("connection"),
        queue.text("queue"),
        queue.templateOrNull("event"),
        queue.valueOrNull("input"));
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
  public String insteadOfIt() {
    return "Let a consumer of the queue call a webhook of the flow, or start it over the API with the message's id as key.";
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
    return "a message that is delivered again gets the first answer";
  }
}
