package dev.hapax.app.cli.bulk;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select runs. */
final class RunSelection {
  @Option(
      names = "--flow",
      paramLabel = "FLOW",
      description = "Only runs of this flow, or of flows that begin with the part before a *.")
  @Nullable String flow;

  @Option(names = "--key", paramLabel = "KEY", description = "Only runs with this key.")
  @Nullable String key;

  @Option(
      names = "--key-prefix",
      paramLabel = "TEXT",
      description = "Only runs whose key begins with this.")
  @Nullable String keyPrefix;

  @Option(names = "--status", paramLabel = "STATUS", description = "Only runs in this status.")
  @Nullable String status;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Only runs of flows that have this label now.")
  @Nullable String label;

  @Option(
      names = "--search",
      paramLabel = "NAME=VALUE",
      description = "Only runs whose searchable field has this value. Can be given several times.")
  Map<String, String> search = new LinkedHashMap<>();

  void select(Map<String, Object> filter) {
    BulkAct.put(filter, "flow", flow);
    BulkAct.put(filter, "key", key);
    BulkAct.put(filter, "keyPrefix", keyPrefix);
    BulkAct.put(filter, "status", status);
    BulkAct.put(filter, "label", label);
    if (!search.isEmpty()) {
      filter.put("search", search);
    }
  }
}
