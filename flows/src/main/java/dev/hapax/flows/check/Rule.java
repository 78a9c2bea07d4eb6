package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowFormat;

/** One check of a flow file. */
interface Rule {
  String id();

  Level level();

  /** The first format of releases that it applies to: an older one was released without it. */
  default FlowFormat since() {
    return FlowFormat.RAW_PATHS;
  }

  /**
   * Whether it is also asked about a release that exists. An error that came later than the release
   * must not stop its runs.
   */
  default boolean appliesToReleases() {
    return true;
  }

  /** Whether it would say something wrong about a file of which a part could not be read. */
  default boolean needsWholeFile() {
    return false;
  }

  void check(FlowFile flow, Report report);

  /** Receives the findings of a rule. */
  @FunctionalInterface
  interface Report {
    void add(Position position, String message, String fix);
  }
}
