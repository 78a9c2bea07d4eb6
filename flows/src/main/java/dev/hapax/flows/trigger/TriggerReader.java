package dev.hapax.flows.trigger;

import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the triggers of a flow, each by its kind. */
public final class TriggerReader {
  /** The name of the shape of a trigger. */
  public static final String SHAPE = "trigger";

  private TriggerReader() {}

  /** Returns the shapes of triggers and of everything inside them, in the order of the docs. */
  public static List<Shape> shapes() {
    Shape.Builder trigger = Shape.of(SHAPE, "a trigger").part();
    var shapes = new ArrayList<Shape>();
    for (TriggerForm kind : TriggerKinds.ALL) {
      trigger.either(kind.word(), new Type.Of(kind.shapes().getFirst().name()), kind.doc());
      shapes.addAll(kind.shapes());
    }
    shapes.addFirst(trigger.build());
    return shapes;
  }

  public static List<Trigger> read(List<Fields> triggers, Consumer<FileProblem> problems) {
    var read = new ArrayList<Trigger>();
    for (Fields trigger : triggers) {
      for (TriggerForm kind : TriggerKinds.ALL) {
        if (trigger.isSound() && kind.word().equals(trigger.alternative())) {
          Trigger one =
              kind.reader()
                  .read(trigger.position(kind.word()), trigger.fieldsOf(kind.word()), problems);
          if (one != null) {
            read.add(one);
          }
        }
      }
    }
    return read;
  }
}
