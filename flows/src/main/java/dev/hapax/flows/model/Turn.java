package dev.hapax.flows.model;

import java.util.List;

/** A part of a conversation with a model. */
public sealed interface Turn {
  /**
   * Something that was said.
   *
   * @param role {@code user} or {@code assistant}
   * @param content a text, or a list of parts in the provider's own form
   */
  record Said(String role, Object content) implements Turn {}

  /** The model has asked for tools. */
  record Asked(String text, List<WantedTool> calls) implements Turn {}

  /** What the tools have answered, in the order of the calls. */
  record Told(List<ToolAnswer> answers) implements Turn {}
}
