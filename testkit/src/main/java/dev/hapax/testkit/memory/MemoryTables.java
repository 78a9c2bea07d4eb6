package dev.hapax.testkit.memory;

import dev.hapax.flow.Erased;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.wait.Wait;
import dev.hapax.store.Due;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rows, and how to roll back the present group's writes. Everything that is iterated is sorted;
 * the hash maps are only asked for one key.
 */
final class MemoryTables {
  private final NavigableMap<Long, Run> runs = new TreeMap<>();
  private final Map<RunId, Long> runsById = new HashMap<>();
  private final NavigableSet<Due> due =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparingLong(Due::run));
  private final NavigableMap<Place, JournalRow> journal =
      new TreeMap<>(Comparator.comparingLong(Place::run).thenComparingLong(Place::seq));
  private final NavigableSet<Waiter> waiters =
      new TreeSet<>(Comparator.comparingLong(Waiter::subject).thenComparingLong(Waiter::run));
  private final Map<Long, Long> countedBy = new HashMap<>();
  private final Map<Long, String> stoppedNotes = new HashMap<>();
  private final Map<Long, List<Answer>> answered = new HashMap<>();
  private final ResourceTable resources = new ResourceTable(this);
  private final KvTable kv = new KvTable(this, resources);
  private final LedgerTable ledger = new LedgerTable(this);
  private final HoldTable holds = new HoldTable(this);
  private final RetentionTable retention = new RetentionTable(this);

  private final NavigableMap<Long, Wait> waits = new TreeMap<>();
  private final NavigableMap<Later, Wait.LaterAnswer> laterAnswers =
      new TreeMap<>(Comparator.comparingLong(Later::op).thenComparingLong(Later::number));
  private final NavigableMap<ScheduleName, ScheduleRecord> schedules =
      new TreeMap<>(Comparator.comparing(ScheduleName::tenant).thenComparing(ScheduleName::name));
  private final InboxTable inbox = new InboxTable(this);
  private final JobTable jobs = new JobTable(this);
  private final NavigableMap<Long, ErasureRecord> erasures = new TreeMap<>();

  /** Undo actions, the last write first. */
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

  /** Removes the run and everything that is stored by its number. */
  void removeRun(Run run) {
    retention.setExpiry(run.number(), null);
    holds.forget(run.number());
    journal(run.number()).forEach(row -> remove(journal, new Place(row.run(), row.seq())));
    remove(countedBy, run.number());
    remove(stoppedNotes, run.number());
    for (Wait wait : waits()) {
      if (wait.run() == run.number()) {
        List.copyOf(laterAnswers.keySet()).stream()
            .filter(answer -> answer.number() == wait.number())
            .forEach(answer -> remove(laterAnswers, answer));
        remove(waits, wait.number());
      }
    }
    remove(runs, run.number());
    remove(runsById, run.id());
  }

  /** Returns runs without an owner that have a due time, the earliest first. */
  SortedSet<Due> due(@Nullable Due after) {
    return after == null ? due : due.tailSet(after, false);
  }

  List<JournalRow> journal(long run) {
    return List.copyOf(journal.subMap(new Place(run, 0), new Place(run, Long.MAX_VALUE)).values());
  }

  @Nullable JournalRow journal(long run, long seq) {
    return journal.get(new Place(run, seq));
  }

  /** Returns the end of the run's journal; 0 if it has none. */
  long lastSeq(long run) {
    Place last = journal.floorKey(new Place(run, Long.MAX_VALUE));
    return last == null || last.run() != run ? 0 : last.seq();
  }

  void put(JournalRow row) {
    put(journal, new Place(row.run(), row.seq()), row);
  }

  void addWaiter(long subject, long run) {
    add(waiters, new Waiter(subject, run));
  }

  /** Returns the runs that wait for it, by number. */
  List<Long> waiters(long subject) {
    return waiters.subSet(new Waiter(subject, 0), new Waiter(subject, Long.MAX_VALUE)).stream()
        .map(Waiter::run)
        .toList();
  }

  void removeWaiter(long subject, long run) {
    remove(waiters, new Waiter(subject, run));
  }

  /** Removes the runs that wait for it, and returns them by number. */
  List<Long> removeWaiters(long subject) {
    var found =
        List.copyOf(waiters.subSet(new Waiter(subject, 0), new Waiter(subject, Long.MAX_VALUE)));
    found.forEach(waiter -> remove(waiters, waiter));
    return found.stream().map(Waiter::run).toList();
  }

  /** Returns the operation that last counted duplicates of the run; null if there were none. */
  @Nullable Long lastCount(long run) {
    return countedBy.get(run);
  }

  void putCount(long run, long op) {
    put(countedBy, run, op);
  }

  @Nullable String stoppedNotes(long run) {
    return stoppedNotes.get(run);
  }

  void putStoppedNotes(long run, String notes) {
    put(stoppedNotes, run, notes);
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

  /** Returns them in the order of their groups. */
  List<Wait.LaterAnswer> laterAnswers() {
    return List.copyOf(laterAnswers.values());
  }

  /** Stores a later answer; returns false if this group had stored one before. */
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

  /** Returns the schedules by name. */
  List<ScheduleRecord> schedules(String tenant) {
    return schedules.values().stream().filter(row -> row.tenant().equals(tenant)).toList();
  }

  long scheduleVersion(String tenant, String name) {
    ScheduleRecord row = schedules.get(new ScheduleName(tenant, name));
    return row == null ? 0 : row.version();
  }

  ScheduleRecord schedule(String tenant, String name) {
    return Objects.requireNonNull(schedules.get(new ScheduleName(tenant, name)));
  }

  void put(ScheduleRecord row) {
    put(schedules, new ScheduleName(row.tenant(), row.name()), row);
  }

  void removeSchedule(String tenant, String name) {
    remove(schedules, new ScheduleName(tenant, name));
  }

  NavigableMap<Long, ErasureRecord> erasures() {
    return erasures;
  }

  void put(ErasureRecord erasure) {
    put(erasures, erasure.number(), erasure);
  }

  /** Writes later answers again without their values. */
  void eraseLaterAnswers(long wait) {
    List.copyOf(laterAnswers.entrySet()).stream()
        .filter(answer -> answer.getKey().number() == wait)
        .forEach(
            answer -> {
              Wait.LaterAnswer before = answer.getValue();
              String decision = Objects.requireNonNull(Erased.decision(before.decision()));
              put(
                  laterAnswers,
                  answer.getKey(),
                  new Wait.LaterAnswer(
                      before.number(),
                      before.at(),
                      Erased.by(before.decision(), before.by()),
                      decision));
            });
  }

  void removeStoppedNotes(long run) {
    remove(stoppedNotes, run);
  }

  JobTable jobs() {
    return jobs;
  }

  LedgerTable ledger() {
    return ledger;
  }

  HoldTable holds() {
    return holds;
  }

  RetentionTable retention() {
    return retention;
  }

  ResourceTable resources() {
    return resources;
  }

  KvTable kv() {
    return kv;
  }

  /**
   * Returns the answers to a group without a journal row; null if it never landed with an answer.
   */
  @Nullable List<Answer> answered(long op) {
    return answered.get(op);
  }

  void putAnswered(long op, List<Answer> answers) {
    put(answered, op, answers);
  }

  /** Writes so that the write can be rolled back. */
  <K, V> void put(Map<K, V> table, K key, V value) {
    V before = table.put(key, value);
    undo.push(before == null ? () -> table.remove(key) : () -> table.put(key, before));
  }

  <K, V> void remove(Map<K, V> table, K key) {
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

  private record ScheduleName(String tenant, String name) {}

  private record Place(long run, long seq) {}

  private record Waiter(long subject, long run) {}

  private record Later(long op, long number) {}
}
