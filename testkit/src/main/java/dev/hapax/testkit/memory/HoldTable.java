package dev.hapax.testkit.memory;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Subject;
import dev.hapax.run.Gate;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The holders of slots and locks, the runs that wait for them, and the gate of each run. */
final class HoldTable {
  private final MemoryTables tables;
  private final NavigableMap<Slot, Hold> holders =
      new TreeMap<>(Comparator.comparing(Slot::subject).thenComparingInt(Slot::number));
  private final NavigableMap<LinePlace, Hold> line =
      new TreeMap<>(
          Comparator.comparing(LinePlace::subject)
              .thenComparingLong(LinePlace::place)
              .thenComparingLong(LinePlace::run));
  private final Map<Long, Gate> gates = new HashMap<>();
  private final Map<Long, Boolean> queued = new HashMap<>();
  private final Map<String, Long> counters = new HashMap<>();

  HoldTable(MemoryTables tables) {
    this.tables = tables;
  }

  void put(Hold hold) {
    Integer slot = hold.slot();
    if (slot == null) {
      tables.put(line, LinePlace.of(hold), hold);
    } else {
      tables.put(holders, new Slot(hold.line().subject(), slot), hold);
    }
  }

  void remove(Hold hold) {
    Integer slot = hold.slot();
    if (slot == null) {
      tables.remove(line, LinePlace.of(hold));
    } else {
      tables.remove(holders, new Slot(hold.line().subject(), slot));
    }
  }

  /** Returns how many runs wait, of all tenants. */
  int inLine() {
    return line.size();
  }

  /** Returns the holders by their slots. */
  Collection<Hold> holders(Subject subject) {
    return holders.subMap(new Slot(subject, 0), new Slot(subject, Integer.MAX_VALUE)).values();
  }

  /** Returns the waiting runs, in order of arrival. */
  Collection<Hold> line(Subject subject) {
    return line.subMap(
            new LinePlace(subject, Long.MIN_VALUE, Long.MIN_VALUE),
            new LinePlace(subject, Long.MAX_VALUE, Long.MAX_VALUE))
        .values();
  }

  /** Returns everything that any run holds or waits for. */
  Stream<Hold> all() {
    return Stream.concat(holders.values().stream(), line.values().stream());
  }

  @Nullable Gate gate(long run) {
    return gates.get(run);
  }

  void putGate(long run, Gate gate) {
    tables.put(gates, run, gate);
  }

  /** Whether the run waits for its slot. */
  boolean isQueued(long run) {
    return queued.getOrDefault(run, false);
  }

  void putQueued(long run, boolean isQueued) {
    tables.put(queued, run, isQueued);
  }

  long nextFence() {
    long next = counters.getOrDefault("fence", 0L) + 1;
    tables.put(counters, "fence", next);
    return next;
  }

  /** The run is gone. */
  void forget(long run) {
    tables.remove(gates, run);
    tables.remove(queued, run);
  }

  private record Slot(Subject subject, int number) {}

  private record LinePlace(Subject subject, long place, long run) {
    static LinePlace of(Hold hold) {
      return new LinePlace(hold.line().subject(), hold.place(), hold.run());
    }
  }
}
