package dev.hapax.testkit.memory;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.store.Change;
import dev.hapax.store.EventTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events that were received, and the newest version of each object. */
final class InboxTable implements EventTable<RuntimeException> {
  private final TreeMap<Long, InboxEvent> events = new TreeMap<>();
  private final TreeMap<List<String>, Long> byEvent = new TreeMap<>(InboxTable::compare);
  private final TreeMap<List<String>, Known> objects = new TreeMap<>(InboxTable::compare);
  private final TreeMap<Long, Long> countedBy = new TreeMap<>();
  private final TreeMap<Long, Fingerprint> contents = new TreeMap<>();

  private final MemoryTables tables;

  InboxTable(MemoryTables tables) {
    this.tables = tables;
  }

  /** The newest version of an object, and the largest number of an event that set one. */
  private record Known(Newest newest, long number) {}

  /** Returns the smallest number that is remembered; null if there is none. */
  @Nullable Long first() {
    return Stream.concat(
            events.keySet().stream().limit(1), objects.values().stream().map(Known::number))
        .min(Long::compare)
        .orElse(null);
  }

  List<InboxEvent> newestFirst() {
    return List.copyOf(events.descendingMap().values());
  }

  @Override
  public @Nullable InboxEvent find(InboxEvent event) {
    Long number = byEvent.get(List.of(event.tenant(), event.source(), event.event()));
    return number == null ? null : events.get(number);
  }

  @Override
  public void countRedelivery(InboxEvent first, long op) {
    if (!Long.valueOf(op).equals(countedBy.get(first.number()))) {
      tables.put(events, first.number(), first.redelivered());
      tables.put(countedBy, first.number(), op);
    }
  }

  @Override
  public @Nullable Newest newest(InboxEvent event) {
    List<String> object = objectOf(event);
    Known known = object == null ? null : objects.get(object);
    return known == null ? null : known.newest();
  }

  @Override
  public @Nullable InboxEvent seen(InboxEvent event, Fingerprint content) {
    List<String> object = objectOf(event);
    return contents.entrySet().stream()
        .filter(known -> known.getValue().equals(content))
        .map(known -> Objects.requireNonNull(events.get(known.getKey())))
        .filter(known -> Objects.equals(objectOf(known), object))
        .filter(known -> Objects.equals(known.version(), event.version()))
        .findFirst()
        .orElse(null);
  }

  @Override
  public void put(InboxEvent event, @Nullable Fingerprint content, long op) {
    tables.put(events, event.number(), event);
    if (content != null) {
      tables.put(contents, event.number(), content);
    }
    tables.put(byEvent, List.of(event.tenant(), event.source(), event.event()), event.number());
  }

  @Override
  public void putNewest(InboxEvent event) {
    List<String> object = Objects.requireNonNull(objectOf(event));
    ObjectVersion version = Objects.requireNonNull(event.version());
    Known known = objects.get(object);
    long number = known == null ? event.number() : Math.max(known.number(), event.number());
    tables.put(objects, object, new Known(new Newest(version, event.run()), number));
  }

  private static @Nullable List<String> objectOf(InboxEvent event) {
    String object = event.object();
    return object == null ? null : List.of(event.tenant(), event.source(), object);
  }

  void forget(Change.ForgetEvents change) {
    events.headMap(change.before()).values().stream()
        .limit(change.most())
        .toList()
        .forEach(
            event -> {
              tables.remove(events, event.number());
              tables.remove(countedBy, event.number());
              tables.remove(contents, event.number());
              tables.remove(byEvent, List.of(event.tenant(), event.source(), event.event()));
            });
    objects.entrySet().stream()
        .filter(object -> object.getValue().number() < change.before())
        .limit(change.most())
        .map(Map.Entry::getKey)
        .toList()
        .forEach(object -> tables.remove(objects, object));
  }

  void erase(Change.EraseMentions change) {
    for (long number : change.events()) {
      InboxEvent event = events.get(number);
      if (event != null && event.tenant().equals(change.tenant())) {
        tables.put(events, number, event.erased());
      }
    }
  }

  void erase(String tenant, int most) {
    events.values().stream()
        .filter(event -> event.tenant().equals(tenant))
        .limit(most)
        .toList()
        .forEach(
            event -> {
              tables.remove(events, event.number());
              tables.remove(countedBy, event.number());
              tables.remove(contents, event.number());
              tables.remove(byEvent, List.of(event.tenant(), event.source(), event.event()));
            });
    objects.keySet().stream()
        .filter(object -> object.getFirst().equals(tenant))
        .limit(most)
        .toList()
        .forEach(object -> tables.remove(objects, object));
  }

  private static int compare(List<String> one, List<String> other) {
    for (int i = 0; i < one.size(); i++) {
      int order = one.get(i).compareTo(other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
