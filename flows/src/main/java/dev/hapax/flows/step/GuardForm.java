package dev.hapax.flows.step;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.Shape;
import java.util.Map;

/**
 * The form of a guard in flow files: its word, its fields, and how it is read. Each guard has one
 * as {@code FORM}.
 *
 * @param doc appears in the JSON Schema and in the docs
 * @param shape of the mapping at the word
 */
record GuardForm(String word, String doc, Reader reader, Shape shape) {

  /** Makes the record of a guard from fields that fit the form. */
  @FunctionalInterface
  interface Reader {
    StepGuard read(Position position, Fields fields);
  }

  /** Whether the word alone is enough, because no field is required. */
  boolean isEnough() {
    return shape.fields().values().stream().noneMatch(Shape.Field::required);
  }

  /** Reads a guard that is given by its word alone. */
  StepGuard read(Position position) {
    return reader.read(position, new Fields(shape, position, Map.of(), Map.of()));
  }
}
