package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;

/** One check of a flow file. */
interface Rule {
  String id();

  Level level();

  void check(FlowFile flow, Report report);

  /** Receives the findings of a rule. */
  @FunctionalInterface
  interface Report {
    void add(Position position, String message, String fix);
  }
}
