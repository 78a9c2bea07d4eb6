package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Resource;
import dev.hapax.flow.Run;
import dev.hapax.flow.SubjectTraces;
import dev.hapax.json.Json;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.JournalPages;
import dev.hapax.store.Store;
import dev.hapax.subject.SubjectFinder;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes down everything that is stored about a person. */
final class SubjectExport {
  private final SubjectAccess access;
  private final Store store;
  private final SubjectFinder finder;
  private final SubjectTraces traces;
  private final String tenant;

  SubjectExport(
      SubjectAccess access,
      Store store,
      SubjectFinder finder,
      SubjectTraces traces,
      String tenant) {
    this.access = access;
    this.store = store;
    this.finder = finder;
    this.traces = traces;
    this.tenant = tenant;
  }

  void give(ErasureRecord request, Set<Long> runs, Consumer<SubjectRecord> to) {
    Set<Long> effects = new LinkedHashSet<>();
    Set<ResourceRef> resources = new LinkedHashSet<>();
    Set<String> ids = new LinkedHashSet<>();
    for (long number : runs) {
      Run run = store.run(number);
      if (run == null) {
        continue; // it was just deleted
      }
      ids.add(run.id().toString());
      resources.addAll(ResourceRef.in(run.input()));
      resources.addAll(ResourceRef.in(run.output()));
      for (JournalRow row : new JournalPages(store, run.number())) {
        resources.addAll(ResourceRef.in(row.entries()));
        resources.addAll(ResourceRef.in(row.answers()));
        EffectReference.in(List.of(row)).forEach(one -> effects.add(one.effect()));
      }
      to.accept(new SubjectRecord("run", run(run)));
    }
    for (long number : effects) {
      EffectRecord row = store.effect(number);
      if (row != null && runs.contains(row.run())) {
        resources.addAll(ResourceRef.in(row.request()));
        resources.addAll(ResourceRef.in(row.result()));
        to.accept(new SubjectRecord("effect", effect(row)));
      }
    }
    finder.events(
        tenant,
        request.subject(),
        ids,
        request.number(),
        event -> to.accept(new SubjectRecord("event", event(event))));
    traces
        .export(tenant, effects.stream().map(EffectRecord::id).toList())
        .forEach(one -> to.accept(new SubjectRecord("comment", one)));
    for (ResourceRef ref : resources) {
      Resource found = access.resource().apply(ref.toString());
      if (found != null) {
        to.accept(new SubjectRecord("resource", resource(found)));
      }
    }
  }

  private Map<String, Object> run(Run run) {
    var members = new LinkedHashMap<String, Object>();
    members.put("id", run.id().toString());
    members.put("flow", run.flow());
    members.put("key", run.key());
    members.put("status", run.shownStatus().word());
    members.put("createdAt", run.createdAt());
    put(members, "endedAt", run.endedAt());
    put(members, "startedBy", run.startedBy());
    put(members, "input", json(run.input()));
    put(members, "output", json(run.output()));
    put(members, "error", run.error());
    members.put("search", run.search().declared());
    members.put("duplicates", run.duplicates());
    put(members, "waits", store.waits().ofRun(run.number()));
    members.put("history", access.history().apply(run.id().toString()));
    return members;
  }

  private static Map<String, Object> effect(EffectRecord row) {
    var members = new LinkedHashMap<String, Object>();
    members.put("id", row.id());
    members.put("name", row.key().name());
    members.put("key", row.key().shown());
    members.put("state", row.state().word());
    members.put("revision", row.revision());
    members.put("attempts", row.attempts());
    put(members, "externalId", row.externalId());
    put(members, "firstSentAt", row.firstSentAt());
    put(members, "request", json(row.request()));
    put(members, "result", json(row.result()));
    put(members, "evidence", row.evidence());
    return members;
  }

  private static Map<String, Object> event(InboxEvent event) {
    var members = new LinkedHashMap<String, Object>();
    members.put("id", event.id());
    members.put("source", event.source());
    members.put("event", event.event());
    put(members, "object", event.object());
    members.put("receivedAt", event.receivedAt());
    members.put("outcome", event.outcome().word());
    put(members, "run", event.run());
    put(members, "payload", json(event.payload()));
    return members;
  }

  private static Map<String, Object> resource(Resource found) {
    return Map.of(
        "ref",
        found.ref(),
        "contentType",
        found.contentType(),
        "base64",
        found.bytes()); // JSON has bytes in base64
  }

  /** Stored values are JSON text, or a reference to a large one. */
  private static @Nullable Object json(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    return ResourceRef.isRef(stored) ? stored : Json.tree(stored);
  }

  private static void put(Map<String, Object> members, String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
  }
}
