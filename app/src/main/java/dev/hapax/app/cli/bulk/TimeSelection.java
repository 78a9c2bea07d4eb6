package dev.hapax.app.cli.bulk;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select by the time of creation. */
final class TimeSelection {
  @Option(names = "--all", description = "Everything that fits, without any condition.")
  boolean all;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Created at this time or later, in ISO-8601.")
  @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Created before this time, in ISO-8601.")
  @Nullable String until;

  void select(Map<String, Object> filter) {
    if (all) {
      filter.put("all", true);
    }
    BulkAct.put(filter, "since", since);
    BulkAct.put(filter, "until", until);
  }
}
