package dev.hapax.flows.step;

import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of a step kind in flow files: its word, its fields, and how it is read. Each kind has
 * one as {@code FORM}.
 *
 * @param doc appears in the JSON Schema and in the docs
 * @param type of the value at the word
 * @param shapes of the mappings in that value
 * @param compensation the doc of the kind as a compensation; null if it cannot be one
 */
public record StepForm(
    String word,
    String doc,
    Type type,
    List<Shape> shapes,
    Reader reader,
    @Nullable String compensation) {

  /** Makes the record of a step from a value that fits the form. */
  @FunctionalInterface
  public interface Reader {
    FlowStepKind read(StepSource source);
  }

  /** The value is a mapping: the first of these shapes, which may contain the others. */
  static StepForm mapping(String word, String doc, Reader reader, Shape first, Shape... inside) {
    var shapes = new ArrayList<>(List.of(first));
    shapes.addAll(List.of(inside));
    return new StepForm(word, doc, new Type.Of(first.name()), List.copyOf(shapes), reader, null);
  }

  /** The value is a list of mappings. */
  static StepForm list(String word, String doc, Reader reader, Shape element) {
    return new StepForm(word, doc, new Type.ListOf(element.name()), List.of(element), reader, null);
  }

  /** The value is a mapping with any keys. */
  static StepForm members(String word, String doc, Reader reader) {
    return new StepForm(word, doc, Types.MEMBERS, List.of(), reader, null);
  }

  /** The same form for a kind that can also be a compensation. */
  StepForm orCompensation(String docThere) {
    return new StepForm(word, doc, type, shapes, reader, docThere);
  }
}
