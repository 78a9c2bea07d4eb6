package dev.hapax.testkit.simulation;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import java.util.List;

/** The runs that people replay. */
final class EndedRuns {
  private static final int MOST = 200;

  private EndedRuns() {}

  static List<Run> of(Outside outside) {
    return all(outside).stream().filter(run -> run.status().isEnd()).toList();
  }

  /** Also those that are under way; none of Hapax's own. */
  static List<Run> all(Outside outside) {
    return outside
        .durable()
        .runs(new RunFilter(UnreliableWorld.TENANT, null, null, null, null, MOST))
        .stream()
        .filter(run -> run.input().contains("\"steps\":"))
        .toList();
  }
}
