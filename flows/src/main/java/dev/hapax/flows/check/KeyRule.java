package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import org.jspecify.annotations.Nullable;

/** A check of each key of a flow. */
interface KeyRule extends Rule {
  /** Returns what is wrong with the key, to follow its name in a sentence; null if it is right. */
  @Nullable String problem(FlowFile flow, Keys.Key key);

  String fix();

  @Override
  default void check(FlowFile flow, Report report) {
    for (Keys.Key key : Keys.of(flow)) {
      String problem = problem(flow, key);
      if (problem != null) {
        report.add(key.template().position(), key.what() + " " + problem, fix());
      }
    }
  }
}
