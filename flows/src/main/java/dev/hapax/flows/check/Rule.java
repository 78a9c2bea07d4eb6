package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;

/** One question to a flow file. */
interface Rule {
  String id();

  Level level();

  void check(FlowFile flow, Report report);

  /** Where a rule tells what it found. */
  @FunctionalInterface
  interface Report {
    void add(Position position, String message, String fix);
  }
}
