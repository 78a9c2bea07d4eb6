package dev.hapax.app.access;

import dev.hapax.Kv;
import dev.hapax.app.data.Records;
import dev.hapax.flow.KvEntry;
import dev.hapax.flows.FlowFiles;
import dev.hapax.json.Json;
import dev.hapax.run.value.ResourceRef;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The server's own records of one tenant: tokens, webhook addresses, flows, releases, drafts,
 * schedules, queues, connections, secrets and deployments. The audit log is not among them.
 */
final class RecordSweep {
  /** What can start something goes first, so that a node that opens meanwhile starts nothing. */
  private static final List<String> KINDS =
      List.of(
          "flows",
          "drafts",
          "releases",
          "schedules",
          "queue-names",
          "queues",
          "queues-left",
          "connections",
          "secrets",
          "secret-hosts",
          "alerts",
          "deployments",
          "deployment-heads",
          "tenant-runs",
          "review-notes");

  private static final int PAGE = 100;

  private final Kv map;
  private final String tenant;

  RecordSweep(Kv map, String tenant) {
    this.map = map;
    this.tenant = tenant;
  }

  /** What is done with a key. */
  @FunctionalInterface
  private interface Found {
    void key(String key);
  }

  long count() {
    long[] count = new long[1];
    each(_ -> count[0]++);
    return count[0];
  }

  /** Removes all of them; what a crash leaves is removed by the next call. */
  void remove() {
    each(map::delete);
  }

  private void each(Found found) {
    walk("tokens/", entry -> tenant.equals(json(entry).path("tenant").asString("")), found);
    walk("hooks/", entry -> tenant.equals(ownerOf(entry)), found);
    for (String kind : KINDS) {
      for (String space : List.of(tenant, FlowFiles.draftsOf(tenant))) {
        String name = kind + "/" + Records.name(space);
        walk(name, entry -> isBelow(entry.key(), name), found);
      }
    }
  }

  /** Not another tenant whose name only begins like this one. */
  private static boolean isBelow(String key, String name) {
    return key.equals(name) || key.startsWith(name + "/");
  }

  private @Nullable String ownerOf(KvEntry entry) {
    JsonNode owner = json(entry).path("owner");
    return owner.path("tenant").asString("");
  }

  /** A large record is stored apart. */
  private JsonNode json(KvEntry entry) {
    String value = ResourceRef.isRef(entry.value()) ? map.get(entry.key()).json() : entry.value();
    return Json.tree(value == null ? "null" : value);
  }

  private void walk(String prefix, Predicate<KvEntry> isOurs, Found found) {
    String after = null;
    List<KvEntry> page;
    do {
      page = map.list(prefix, after, PAGE);
      for (KvEntry entry : page) {
        after = entry.key();
        if (isOurs.test(entry)) {
          found.key(entry.key());
        }
      }
    } while (page.size() == PAGE);
  }
}
