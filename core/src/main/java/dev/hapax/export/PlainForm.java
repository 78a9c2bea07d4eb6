package dev.hapax.export;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records with the names of the public JSON, without what only a server knows. */
final class PlainForm implements ExportForm {
  @Override
  public Object run(Run run) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("id", run.id().toString());
    members.put("flow", run.flow());
    members.put("release", run.release());
    members.put("key", run.key());
    members.put("status", run.status().word());
    members.put("input", json(run.input()));
    members.put("output", json(run.output()));
    members.put("error", run.error());
    members.put("createdAt", run.createdAt());
    members.put("endedAt", run.endedAt());
    members.put("duplicates", run.duplicates());
    return members;
  }

  @Override
  public Object entry(HistoryEntry entry) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("seq", entry.seq());
    members.put("at", entry.at());
    members.put("type", entry.type());
    members.put("step", entry.step());
    put(members, "item", entry.item());
    put(members, "round", entry.round());
    put(members, "attempt", entry.attempt());
    put(members, "effect", entry.effect());
    put(members, "key", entry.key());
    put(members, "wireKey", entry.wireKey());
    put(members, "revision", entry.revision());
    put(members, "guard", entry.guard());
    put(members, "state", entry.state());
    put(members, "decision", entry.decision());
    put(members, "evidence", entry.evidence());
    put(members, "reusedFrom", entry.reusedFrom());
    put(members, "branch", entry.branch());
    put(members, "output", json(entry.output()));
    put(members, "error", entry.reason());
    put(members, "waitUntil", entry.waitUntil());
    return members;
  }

  private static void put(
      Map<String, @Nullable Object> members, String name, @Nullable Object value) {
    if (value != null) {
      members.put(name, value);
    }
  }

  @Override
  public Object effect(EffectRecord effect, @Nullable String run) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("id", effect.id());
    members.put("name", effect.key().name());
    members.put("key", effect.key().key());
    members.put("wireKey", effect.wireKey());
    members.put("revision", effect.revision());
    members.put("state", effect.state().word());
    members.put("run", run);
    members.put("externalId", effect.externalId());
    members.put("request", json(effect.request()));
    members.put("result", json(effect.result()));
    return members;
  }

  @Override
  public Object event(InboxEvent event) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    members.put("id", event.id());
    members.put("source", event.source());
    members.put("event", event.event());
    members.put("outcome", event.outcome().word());
    members.put("run", event.run());
    members.put("detail", event.detail());
    members.put("flow", event.flow());
    members.put("object", event.object());
    members.put("receivedAt", event.receivedAt());
    members.put("redeliveries", event.redeliveries());
    members.put("payload", json(event.payload()));
    return members;
  }

  /** A reference to a large value is no JSON, and stays the text that it is. */
  private static @Nullable Object json(@Nullable String text) {
    try {
      return text == null ? null : Json.tree(text);
    } catch (NotSerializable e) {
      return text;
    }
  }
}
