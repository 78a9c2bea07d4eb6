package dev.hapax.flows.trigger;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Shape;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The form of a trigger kind in flow files: its word, its fields, and how it is read. Each kind has
 * one as {@code FORM}.
 *
 * @param doc appears in the JSON Schema and in the docs
 * @param shapes the first one is the mapping at the word, the others are inside it
 */
record TriggerForm(String word, String doc, Reader reader, List<Shape> shapes) {

  /** Makes the record of a trigger from fields that fit the form. */
  @FunctionalInterface
  interface Reader {
    /** Returns null after a problem that leaves no trigger. */
    @Nullable Trigger read(Position position, Fields fields, Consumer<FileProblem> problems);
  }
}
