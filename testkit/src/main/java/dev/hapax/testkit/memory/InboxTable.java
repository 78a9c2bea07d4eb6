package dev.hapax.testkit.memory;

import dev.hapax.run.Answer;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.run.InboxRule;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events that were received, and the newest version of each object. */
final class InboxTable {
  private final TreeMap<Long, InboxEvent> events = new TreeMap<>();
  private final TreeMap<List<String>, Long> byEvent = new TreeMap<>(InboxTable::compare);
  private final TreeMap<List<String>, Newest> objects = new TreeMap<>(InboxTable::compare);
  private final TreeMap<Long, Long> countedBy = new TreeMap<>();

  private record Newest(long version, long number, @Nullable String run) {}

  /** Writes so that the write can be rolled back. */
  interface Writer {
    <K, V> void put(Map<K, V> table, K key, V value);

    <K, V> void remove(Map<K, V> table, K key);
  }

  /** Returns the smallest number that is remembered; null if there is none. */
  @Nullable Long first() {
    return Stream.concat(
            events.keySet().stream().limit(1), objects.values().stream().map(Newest::number))
        .min(Long::compare)
        .orElse(null);
  }

  List<InboxEvent> newestFirst() {
    return List.copyOf(events.descendingMap().values());
  }

  /** Begins a run beside the group's own, if its key has none. */
  interface Spawning {
    Answer spawn(NewRun run, @Nullable Instant occurredAt);

    /** Returns the holder of the slot that the run would need, if its flow refuses runs then. */
    @Nullable String busy(NewRun run);
  }

  Answer.Received receive(Change.Receive change, long op, Spawning spawn, Writer writer) {
    InboxEvent event = change.event();
    Long number = byEvent.get(List.of(event.tenant(), event.source(), event.event()));
    InboxEvent first = number == null ? null : events.get(number);
    if (first != null && first.number() != event.number()) {
      count(first, op, writer);
      return Answer.Received.again(first);
    }
    if (first != null && !first.outcome().canBeTriedAgain()) {
      return Answer.Received.of(first);
    }
    return decide(change, first == null ? event : first, spawn, writer);
  }

  private void count(InboxEvent first, long op, Writer writer) {
    if (!Long.valueOf(op).equals(countedBy.get(first.number()))) {
      writer.put(
          events,
          first.number(),
          new InboxEvent(
              first.number(),
              first.tenant(),
              first.source(),
              first.event(),
              first.object(),
              first.version(),
              first.payload(),
              first.flow(),
              first.outcome(),
              first.run(),
              first.detail(),
              first.receivedAt(),
              first.redeliveries() + 1));
      writer.put(countedBy, first.number(), op);
    }
  }

  private Answer.Received decide(
      Change.Receive change, InboxEvent event, Spawning spawning, Writer writer) {
    String about = event.object();
    var object = about == null ? null : List.of(event.tenant(), event.source(), about);
    Newest newest = object == null ? null : objects.get(object);
    Long version = newest == null ? null : Long.valueOf(newest.version());
    InboxOutcome byVersion = InboxRule.byVersion(event, version);
    NewRun run = change.run();
    InboxEvent after;
    if (byVersion != null) {
      String firstRun = byVersion == InboxOutcome.DUPLICATE && newest != null ? newest.run() : null;
      after = event.with(byVersion, firstRun, InboxRule.reason(event, byVersion, version));
    } else if (run == null) {
      after = event.with(change.refusal(), null, change.problem());
    } else {
      String holder = spawning.busy(run);
      after =
          holder == null
              ? InboxRule.begun(
                  event,
                  run,
                  spawning.spawn(run, change.occurredAt()),
                  change.returnsFirst(),
                  version)
              : InboxRule.rejected(event, holder);
    }
    writer.put(events, after.number(), after);
    writer.put(byEvent, List.of(after.tenant(), after.source(), after.event()), after.number());
    Long now = after.version();
    if (object != null
        && now != null
        && InboxRule.setsVersion(after, after.outcome())
        && (version == null || now > version)) {
      writer.put(objects, object, new Newest(now, after.number(), after.run()));
    }
    return Answer.Received.of(after);
  }

  void forget(Change.ForgetEvents change, Writer writer) {
    events.headMap(change.before()).values().stream()
        .limit(change.most())
        .toList()
        .forEach(
            event -> {
              writer.remove(events, event.number());
              writer.remove(countedBy, event.number());
              writer.remove(byEvent, List.of(event.tenant(), event.source(), event.event()));
            });
    objects.entrySet().stream()
        .filter(object -> object.getValue().number() < change.before())
        .limit(change.most())
        .map(Map.Entry::getKey)
        .toList()
        .forEach(object -> writer.remove(objects, object));
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
