package dev.hapax.testkit.memory;

import dev.hapax.flow.Flow;
import dev.hapax.run.Answer;
import dev.hapax.run.ClaimRule;
import dev.hapax.run.EffectKey;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Gate;
import dev.hapax.run.Hold;
import dev.hapax.run.JournalRow;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.RetentionRule;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.Subject;
import dev.hapax.run.Tombstone;
import dev.hapax.run.Wait;
import dev.hapax.store.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows, and how to take back the present group's writes. Whatever is iterated is sorted; the
 * hash maps are only asked for one key.
 */
final class Tables implements InboxTable.Writer {
  private final NavigableMap<Long, Run> runs = new TreeMap<>();
  private final Map<RunId, Long> runsById = new HashMap<>();
  private final NavigableSet<Due> due =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private final NavigableMap<Place, JournalRow> journal =
      new TreeMap<>(Comparator.comparingLong(Place::run).thenComparingLong(Place::seq));
  private final NavigableMap<Long, EffectRecord> effects = new TreeMap<>();
  private final Map<EffectKey, Long> effectsByKey = new HashMap<>();
  private final NavigableSet<Waiter> waiters =
      new TreeSet<>(Comparator.comparingLong(Waiter::subject).thenComparingLong(Waiter::run));
  private final Map<Long, Long> countedBy = new HashMap<>();
  private final Map<Origin, ClaimRule.Revision> revisions = new HashMap<>();
  private final Map<Long, List<Answer>> answered = new HashMap<>();
  private final ResourceTable resources = new ResourceTable(this);
  private final KvTable kv = new KvTable(this, resources);

  private final NavigableMap<Long, Wait> waits = new TreeMap<>();
  private final NavigableMap<Later, Wait.LaterAnswer> laterAnswers =
      new TreeMap<>(Comparator.comparingLong(Later::op).thenComparingLong(Later::number));
  private final NavigableMap<ScheduleName, ScheduleRecord> schedules =
      new TreeMap<>(Comparator.comparing(ScheduleName::tenant).thenComparing(ScheduleName::name));
  private final NavigableMap<Long, Grave> graves = new TreeMap<>();
  private final Map<RunId, Long> gravesById = new HashMap<>();
  private final NavigableSet<Due> expiring =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private final Map<Long, Instant> expiresAt = new HashMap<>();
  private final Map<String, Duration> keep = new HashMap<>();
  private final NavigableSet<Long> forgotten = new TreeSet<>();
  private final Map<Long, Long> successors = new HashMap<>();
  private final NavigableSet<Long> renewing = new TreeSet<>();
  private final Map<String, Long> counts = new HashMap<>();
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
  private final InboxTable inbox = new InboxTable();

  /** The last write first. */
  private final Deque<Runnable> undo = new ArrayDeque<>();

  void keep() {
    undo.clear();
  }

  void rollBack() {
    undo.forEach(Runnable::run);
    undo.clear();
  }

  @Nullable Run run(long number) {
    return runs.get(number);
  }

  @Nullable Run run(RunId id) {
    Long number = runsById.get(id);
    return number == null ? null : runs.get(number);
  }

  NavigableMap<Long, Run> runs() {
    return runs;
  }

  void put(Run run) {
    Run before = runs.get(run.number());
    Due dueBefore = before == null ? null : dueTime(before);
    Due dueNow = dueTime(run);
    if (dueBefore != null) {
      remove(due, dueBefore);
    }
    if (dueNow != null) {
      add(due, dueNow);
    }
    put(runs, run.number(), run);
    put(runsById, run.id(), run.number());
  }

  private static @Nullable Due dueTime(Run run) {
    Instant at = run.dueAt();
    return run.owner() == null && at != null ? new Due(at, run.number()) : null;
  }

  /** Runs without an owner that have a due time, the earliest first. */
  SortedSet<Due> due(@Nullable Due after) {
    return after == null ? due : due.tailSet(after, false);
  }

  List<JournalRow> journal(long run) {
    return List.copyOf(journal.subMap(new Place(run, 0), new Place(run, Long.MAX_VALUE)).values());
  }

  @Nullable JournalRow journal(long run, long seq) {
    return journal.get(new Place(run, seq));
  }

  /** Where the run's journal ends; 0 if it has none. */
  long lastSeq(long run) {
    Place last = journal.floorKey(new Place(run, Long.MAX_VALUE));
    return last == null || last.run() != run ? 0 : last.seq();
  }

  void put(JournalRow row) {
    put(journal, new Place(row.run(), row.seq()), row);
  }

  @Nullable EffectRecord effect(long number) {
    return effects.get(number);
  }

  @Nullable EffectRecord effect(EffectKey key) {
    Long number = effectsByKey.get(key);
    return number == null ? null : effects.get(number);
  }

  NavigableMap<Long, EffectRecord> effects() {
    return effects;
  }

  void put(EffectRecord effect) {
    put(effects, effect.number(), effect);
    put(effectsByKey, effect.key(), effect.number());
  }

  void addWaiter(long subject, long run) {
    add(waiters, new Waiter(subject, run));
  }

  /** The runs that wait for it, by number. */
  List<Long> waiters(long subject) {
    return waiters.subSet(new Waiter(subject, 0), new Waiter(subject, Long.MAX_VALUE)).stream()
        .map(Waiter::run)
        .toList();
  }

  void removeWaiter(long subject, long run) {
    remove(waiters, new Waiter(subject, run));
  }

  /** The runs that wait for it, by number; they are waiters no more. */
  List<Long> removeWaiters(long subject) {
    var found =
        List.copyOf(waiters.subSet(new Waiter(subject, 0), new Waiter(subject, Long.MAX_VALUE)));
    found.forEach(waiter -> remove(waiters, waiter));
    return found.stream().map(Waiter::run).toList();
  }

  ClaimRule.@Nullable Revision revision(long effect, String origin) {
    return revisions.get(new Origin(effect, origin));
  }

  void putRevision(long effect, String origin, ClaimRule.Revision revision) {
    put(revisions, new Origin(effect, origin), revision);
  }

  /** The operation that last counted duplicates of the run; null if there were none. */
  @Nullable Long lastCount(long run) {
    return countedBy.get(run);
  }

  void putCount(long run, long op) {
    put(countedBy, run, op);
  }

  @Nullable Wait findWait(long number) {
    return waits.get(number);
  }

  List<Wait> waits() {
    return List.copyOf(waits.values());
  }

  long lastWait() {
    return waits.isEmpty() ? 0 : waits.lastKey();
  }

  void put(Wait wait) {
    put(waits, wait.number(), wait);
  }

  /** In the order of the groups that brought them. */
  List<Wait.LaterAnswer> laterAnswers() {
    return List.copyOf(laterAnswers.values());
  }

  /** Whether this group had not brought one before. */
  boolean putLaterAnswer(long op, Wait.LaterAnswer answer) {
    var place = new Later(op, answer.number());
    if (laterAnswers.containsKey(place)) {
      return false;
    }
    put(laterAnswers, place, answer);
    return true;
  }

  InboxTable inbox() {
    return inbox;
  }

  /** By name. */
  List<ScheduleRecord> schedules(String tenant) {
    return schedules.values().stream().filter(row -> row.tenant().equals(tenant)).toList();
  }

  long scheduleVersion(String tenant, String name) {
    ScheduleRecord row = schedules.get(new ScheduleName(tenant, name));
    return row == null ? 0 : row.version();
  }

  void put(ScheduleRecord row) {
    put(schedules, new ScheduleName(row.tenant(), row.name()), row);
  }

  void removeSchedule(String tenant, String name) {
    remove(schedules, new ScheduleName(tenant, name));
  }

  // ---- lines

  void put(Hold hold) {
    Integer slot = hold.slot();
    if (slot == null) {
      put(line, LinePlace.of(hold), hold);
    } else {
      put(holders, new Slot(hold.line().subject(), slot), hold);
    }
  }

  void remove(Hold hold) {
    Integer slot = hold.slot();
    if (slot == null) {
      remove(line, LinePlace.of(hold));
    } else {
      remove(holders, new Slot(hold.line().subject(), slot));
    }
  }

  /** By their slots. */
  Collection<Hold> holders(Subject subject) {
    return holders.subMap(new Slot(subject, 0), new Slot(subject, Integer.MAX_VALUE)).values();
  }

  /** Those who wait, in order of arrival. */
  Collection<Hold> line(Subject subject) {
    return line.subMap(
            new LinePlace(subject, Long.MIN_VALUE, Long.MIN_VALUE),
            new LinePlace(subject, Long.MAX_VALUE, Long.MAX_VALUE))
        .values();
  }

  /** Everything that anybody holds or waits for. */
  Stream<Hold> holds() {
    return Stream.concat(holders.values().stream(), line.values().stream());
  }

  @Nullable Gate gate(long run) {
    return gates.get(run);
  }

  void putGate(long run, Gate gate) {
    put(gates, run, gate);
  }

  /** Whether the run waits for its slot. */
  boolean isQueued(long run) {
    return queued.getOrDefault(run, false);
  }

  void putQueued(long run, boolean isQueued) {
    put(queued, run, isQueued);
  }

  long nextFence() {
    long next = counters.getOrDefault("fence", 0L) + 1;
    put(counters, "fence", next);
    return next;
  }

  ResourceTable resources() {
    return resources;
  }

  KvTable kv() {
    return kv;
  }

  /** What a group without a journal row was answered; null if it never landed with an answer. */
  @Nullable List<Answer> answered(long op) {
    return answered.get(op);
  }

  void putAnswered(long op, List<Answer> answers) {
    put(answered, op, answers);
  }

  @Override
  public <K, V> void put(Map<K, V> table, K key, V value) {
    V before = table.put(key, value);
    undo.push(before == null ? () -> table.remove(key) : () -> table.put(key, before));
  }

  @Override
  public <K, V> void remove(Map<K, V> table, K key) {
    V before = table.remove(key);
    if (before != null) {
      undo.push(() -> table.put(key, before));
    }
  }

  <T> void add(NavigableSet<T> table, T row) {
    if (table.add(row)) {
      undo.push(() -> table.remove(row));
    }
  }

  <T> void remove(NavigableSet<T> table, T row) {
    if (table.remove(row)) {
      undo.push(() -> table.add(row));
    }
  }

  private <K, V> void take(Map<K, V> table, K key) {
    V before = table.remove(key);
    if (before != null) {
      undo.push(() -> table.put(key, before));
    }
  }

  // Retention

  /** What is left of a run, and until when. */
  record Grave(Tombstone tombstone, Instant until) {}

  NavigableMap<Long, Grave> graves() {
    return graves;
  }

  void put(Grave grave) {
    put(graves, grave.tombstone().number(), grave);
    put(gravesById, grave.tombstone().id(), grave.tombstone().number());
  }

  void removeGrave(Grave grave) {
    long number = grave.tombstone().number();
    take(graves, number);
    take(gravesById, grave.tombstone().id());
    remove(forgotten, number);
    take(successors, number);
  }

  /** The run and everything that is stored by its number. */
  void removeRun(Run run) {
    setExpiry(run.number(), null);
    journal(run.number()).forEach(row -> take(journal, new Place(row.run(), row.seq())));
    take(countedBy, run.number());
    for (Wait wait : waits()) {
      if (wait.run() == run.number()) {
        List.copyOf(laterAnswers.keySet()).stream()
            .filter(answer -> answer.number() == wait.number())
            .forEach(answer -> take(laterAnswers, answer));
        take(waits, wait.number());
      }
    }
    take(runs, run.number());
    take(runsById, run.id());
  }

  /** Ended runs, the first that can go first. */
  NavigableSet<Due> expiring() {
    return expiring;
  }

  @Nullable Instant expiresAt(long run) {
    return expiresAt.get(run);
  }

  void setExpiry(long run, @Nullable Instant at) {
    Instant before = expiresAt.get(run);
    if (before != null) {
      remove(expiring, new Due(before, run));
      take(expiresAt, run);
    }
    if (at != null) {
      add(expiring, new Due(at, run));
      put(expiresAt, run, at);
    }
  }

  Duration keep(String flow) {
    return keep.getOrDefault(flow, Flow.DEFAULT_RETENTION);
  }

  void putKeep(String flow, Duration time) {
    put(keep, flow, time);
  }

  @Nullable KeyHolder holder(RunId id) {
    Run run = run(id);
    if (run != null) {
      return new KeyHolder.Present(run, forgotten.contains(run.number()));
    }
    Long grave = gravesById.get(id);
    Grave found = grave == null ? null : graves.get(grave);
    return found == null
        ? null
        : new KeyHolder.Expired(found.tombstone(), forgotten.contains(found.tombstone().number()));
  }

  /** The public id of a run that is or was there. */
  String idOf(long number) {
    Run run = runs.get(number);
    if (run != null) {
      return run.id().toString();
    }
    Grave grave = graves.get(number);
    return grave == null ? RetentionRule.NOBODY : grave.tombstone().id().toString();
  }

  void forget(long run) {
    add(forgotten, run);
  }

  /** What is left of the first stays as long as anything of the second. */
  void succeed(long predecessor, long run, boolean renews) {
    put(successors, predecessor, run);
    if (renews) {
      add(renewing, run);
    }
  }

  boolean hasSuccessor(long run) {
    Long next = successors.get(run);
    return next != null && (runs.containsKey(next) || graves.containsKey(next));
  }

  boolean renews(long run) {
    return renewing.contains(run);
  }

  boolean ownsOpenEffect(long run) {
    return effects.values().stream()
        .anyMatch(effect -> effect.run() == run && effect.state().isOpen());
  }

  long count(String what) {
    return counts.getOrDefault(what, 0L);
  }

  void count(String what, long more) {
    put(counts, what, count(what) + more);
  }

  private record ScheduleName(String tenant, String name) {}

  private record Place(long run, long seq) {}

  private record Slot(Subject subject, int number) {}

  private record LinePlace(Subject subject, long place, long run) {
    static LinePlace of(Hold hold) {
      return new LinePlace(hold.line().subject(), hold.place(), hold.run());
    }
  }

  private record Waiter(long subject, long run) {}

  private record Later(long op, long number) {}

  private record Origin(long effect, String origin) {}
}
