package dev.hapax.flows.skeleton;

import dev.hapax.json.Text;
import java.util.List;

/**
 * The decisions about one flow of a workflow.
 *
 * @param all where they are kept
 */
record N8nNotes(String flow, List<ImportDecision> all) {
  void add(N8nNode node, String step, String code, String message, String fix) {
    all.add(new ImportDecision(code, place(node.name()), flow, step, message, fix));
  }

  void add(String code, String message, String fix) {
    all.add(new ImportDecision(code, "workflow", flow, "", message, fix));
  }

  void expressions(N8nNode node, String step, List<String> left) {
    for (String expression : left) {
      add(
          node,
          step,
          "expression",
          "%s was not translated; TODO or REMOVED is in its place".formatted(place(expression)),
          "Write it as ${…}: input, steps.ID.output and CEL (docs/flows/expressions.md).");
    }
  }

  /** Names and expressions of others are shown in one line, and not at any length. */
  static String place(String text) {
    return Text.cut(Text.storable(text).replaceAll("\\p{Cntrl}", " "), 200);
  }
}
