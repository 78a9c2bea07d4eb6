package dev.hapax.testkit.memory;

import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.value.ResourceRecord;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.store.Change;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Large values, and the rows that refer to them. */
final class ResourceTable {
  private final MemoryTables tables;
  private final NavigableMap<Long, Value> values = new TreeMap<>();
  private final Map<Name, Long> byName = new HashMap<>();
  private final NavigableMap<Place, byte[]> parts =
      new TreeMap<>(Comparator.comparingLong(Place::resource).thenComparingInt(Place::part));
  private final NavigableSet<Reference> references =
      new TreeSet<>(
          Comparator.comparingLong(Reference::subject).thenComparingLong(Reference::resource));

  ResourceTable(MemoryTables tables) {
    this.tables = tables;
  }

  void put(ResourcePart part, Instant at) {
    Instant until = at.plus(ResourcePart.GRACE);
    Value value = find(new Name(part.tenant(), part.ref()));
    if (value == null) {
      var row = new ResourceRecord(part.number(), part.ref(), part.contentType(), part.size());
      value = new Value(row, part.tenant(), until);
      tables.put(byName, new Name(part.tenant(), part.ref()), part.number());
    } else {
      value = value.keptAtLeast(until);
    }
    tables.put(values, value.number(), value);
    tables.put(parts, new Place(value.number(), part.index()), part.bytes());
    collect(Change.StoreResource.COLLECTED_BY_THE_WAY, at);
  }

  @Nullable ResourceRecord find(String tenant, ResourceRef ref) {
    Value value = find(new Name(tenant, ref));
    return value == null || !isWhole(value) ? null : value.row();
  }

  byte @Nullable [] content(long resource) {
    Value value = values.get(resource);
    if (value == null || !isWhole(value)) {
      return null;
    }
    var content = new ByteArrayOutputStream(value.row().size());
    partsOf(resource).values().forEach(content::writeBytes);
    return content.toByteArray();
  }

  long count(String tenant) {
    return values.values().stream().filter(value -> value.tenant().equals(tenant)).count();
  }

  /** Records the values that a row of this tenant refers to by this text. */
  void refer(long subject, String tenant, @Nullable String text) {
    for (ResourceRef ref : ResourceRef.in(text)) {
      Value value = find(new Name(tenant, ref));
      if (value != null) {
        tables.add(references, new Reference(subject, value.number()));
      }
    }
  }

  /** Drops the references of the row with this number, which is deleted. */
  void drop(long subject) {
    var from = new Reference(subject, Long.MIN_VALUE);
    var to = new Reference(subject, Long.MAX_VALUE);
    List.copyOf(references.subSet(from, to)).forEach(row -> tables.remove(references, row));
  }

  /** As above, for values that were erased: those that nothing else refers to need not be kept. */
  void erase(long subject, Instant at) {
    var from = new Reference(subject, Long.MIN_VALUE);
    var to = new Reference(subject, Long.MAX_VALUE);
    for (Reference row : List.copyOf(references.subSet(from, to))) {
      tables.remove(references, row);
      Value value = values.get(row.resource());
      if (value != null
          && references.stream().noneMatch(other -> other.resource() == row.resource())) {
        tables.put(values, value.number(), new Value(value.row(), value.tenant(), at));
      }
    }
  }

  void erase(String tenant) {
    for (Value value : List.copyOf(values.values())) {
      if (value.tenant().equals(tenant)) {
        List.copyOf(partsOf(value.number()).keySet()).forEach(place -> tables.remove(parts, place));
        tables.remove(values, value.number());
        tables.remove(byName, new Name(tenant, value.row().ref()));
      }
    }
  }

  /** Deletes up to this many parts of values that nothing refers to. */
  void collect(int mostParts, Instant at) {
    int rest = mostParts;
    for (Value value : toCollect(at)) {
      List<Place> there = List.copyOf(partsOf(value.number()).keySet());
      List<Place> gone = there.subList(0, Math.min(rest, there.size()));
      gone.forEach(place -> tables.remove(parts, place));
      rest -= gone.size();
      if (gone.size() < there.size()) {
        return;
      }
      tables.remove(values, value.number());
      tables.remove(byName, new Name(value.tenant(), value.row().ref()));
      if (rest == 0) {
        return;
      }
    }
  }

  private List<Value> toCollect(Instant at) {
    return values.values().stream()
        .filter(value -> !value.keptUntil().isAfter(at))
        .filter(value -> references.stream().noneMatch(row -> row.resource() == value.number()))
        .sorted(Comparator.comparing(Value::keptUntil).thenComparingLong(Value::number))
        .toList();
  }

  private boolean isWhole(Value value) {
    return partsOf(value.number()).size() == ResourcePart.count(value.row().size());
  }

  private NavigableMap<Place, byte[]> partsOf(long resource) {
    return parts.subMap(new Place(resource, 0), true, new Place(resource, Integer.MAX_VALUE), true);
  }

  private @Nullable Value find(Name name) {
    Long number = byName.get(name);
    return number == null ? null : values.get(number);
  }

  private record Name(String tenant, ResourceRef ref) {}

  private record Place(long resource, int part) {}

  private record Reference(long subject, long resource) {}

  private record Value(ResourceRecord row, String tenant, Instant keptUntil) {
    long number() {
      return row.number();
    }

    Value keptAtLeast(Instant until) {
      return until.isAfter(keptUntil) ? new Value(row, tenant, until) : this;
    }
  }
}
