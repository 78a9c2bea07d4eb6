package dev.hapax.testkit.memory;

import dev.hapax.flow.KvEntry;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Change;
import dev.hapax.store.KvFilter;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The durable map. */
final class KvTable {
  private static final String VERSION = "version";

  private final MemoryTables tables;
  private final ResourceTable resources;
  private final NavigableMap<Place, KvEntry> entries =
      new TreeMap<>(
          Comparator.comparing(Place::tenant).thenComparing(Place::key, KvFilter.CODE_POINTS));
  private final NavigableSet<Expiry> expiries =
      new TreeSet<>(
          Comparator.comparing(Expiry::at).thenComparingLong(expiry -> expiry.entry().number()));
  private final NavigableMap<String, Long> counter = new TreeMap<>();

  KvTable(MemoryTables tables, ResourceTable resources) {
    this.tables = tables;
    this.resources = resources;
  }

  Answer.Kv answer(KvRequest request, Instant at) {
    KvEntry found = find(request.tenant(), request.key());
    KvEntry present = KvEntry.at(at, found);
    if (!request.writesOver(present)) {
      return KvRequest.standing(present);
    }
    if (found != null) {
      remove(found);
    }
    var answer = new Answer.Kv(null, KvEntry.ABSENT, true);
    if (request.action() != KvAction.DELETE) {
      KvEntry entry = request.entry(present, nextVersion());
      add(entry);
      answer = request.written(entry);
    }
    collect(Change.Kv.COLLECTED_BY_THE_WAY, at);
    return answer;
  }

  void collect(int most, Instant at) {
    List<Expiry> expired =
        expiries.stream().takeWhile(expiry -> !expiry.at().isAfter(at)).limit(most).toList();
    expired.forEach(expiry -> remove(expiry.entry()));
  }

  void erase(String tenant, int most) {
    entries.values().stream()
        .filter(entry -> entry.tenant().equals(tenant))
        .limit(most)
        .toList()
        .forEach(this::remove);
  }

  @Nullable KvEntry find(String tenant, String key) {
    return entries.get(new Place(tenant, key));
  }

  List<KvEntry> list(KvFilter filter) {
    String after = filter.after();
    return entries.tailMap(new Place(filter.tenant(), filter.from())).values().stream()
        .takeWhile(entry -> entry.tenant().equals(filter.tenant()))
        .takeWhile(entry -> entry.key().startsWith(filter.prefix()))
        .filter(entry -> !entry.key().equals(after))
        .filter(entry -> KvEntry.at(filter.at(), entry) != null)
        .limit(filter.limit())
        .toList();
  }

  private void add(KvEntry entry) {
    tables.put(entries, Place.of(entry), entry);
    resources.refer(entry.number(), entry.tenant(), entry.value());
    Instant expiresAt = entry.expiresAt();
    if (expiresAt != null) {
      tables.add(expiries, new Expiry(expiresAt, entry));
    }
  }

  private void remove(KvEntry entry) {
    tables.remove(entries, Place.of(entry));
    resources.drop(entry.number());
    Instant expiresAt = entry.expiresAt();
    if (expiresAt != null) {
      tables.remove(expiries, new Expiry(expiresAt, entry));
    }
  }

  private long nextVersion() {
    long version = counter.getOrDefault(VERSION, 0L) + 1;
    tables.put(counter, VERSION, version);
    return version;
  }

  private record Place(String tenant, String key) {
    static Place of(KvEntry entry) {
      return new Place(entry.tenant(), entry.key());
    }
  }

  private record Expiry(Instant at, KvEntry entry) {}
}
