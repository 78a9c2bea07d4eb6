package dev.hapax.app.cli.bulk;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select runs by how they failed. */
final class ErrorSelection {
  @Option(
      names = "--error",
      paramLabel = "CODE",
      description = "Only runs that failed with this code.")
  @Nullable String error;

  @Option(
      names = "--retryable",
      description = "Only runs that another try without a change may help.")
  boolean retryable;

  void select(Map<String, Object> filter) {
    BulkAct.put(filter, "error", error);
    BulkAct.put(filter, "retryable", retryable ? Boolean.TRUE : null);
  }
}
