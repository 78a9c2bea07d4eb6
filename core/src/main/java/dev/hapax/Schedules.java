package dev.hapax;

import dev.hapax.admission.StartRequest;
import dev.hapax.engine.Engine;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.RunId;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreFull;
import dev.hapax.json.Text;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Change;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts runs at nominal instants. The commit that starts an instant's run also advances the
 * schedule's row, on the condition that the row is unchanged: so each instant is handled once. A
 * run's key names schedule and instant, so it is started once in any case. Instants follow the wall
 * clock as it is set now: times written under a wrong clock do not make them come early. Safe for
 * many threads.
 */
public final class Schedules {
  private static final Logger log = LoggerFactory.getLogger(Schedules.class);
  private static final int RUNS_PER_COMMIT = 100;
  private static final int MOST_BACKFILLED = 10_000;
  private static final int INSTANTS_SHOWN = 5;
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofMinutes(1);
  private static final long HELD_SECONDS = 2;

  private final Engine engine;
  private final Store store;
  private final String tenant;
  private final ConcurrentMap<String, Schedule<?>> schedules = new ConcurrentHashMap<>();
  private final Alarms alarms;
  private final AtomicBoolean looks = new AtomicBoolean();
  private final ConcurrentMap<String, Long> missed = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Long> skipped = new ConcurrentHashMap<>();

  Schedules(Engine engine, Store store, String tenant) {
    this.engine = engine;
    this.store = store;
    this.tenant = tenant;
    this.alarms = new Alarms(engine);
  }

  /**
   * Registers a schedule's code, and begins the schedule if it is new. A stored schedule continues
   * from its row: instants that were missed while no process was there follow its catch-up rule.
   */
  public void add(Schedule<?> schedule) {
    engine.refuseIfEnded();
    refuseOneKeyForAll(schedule);
    Schedule<?> there = schedules.putIfAbsent(schedule.name(), schedule);
    if (there != null && !there.equals(schedule)) {
      throw new IllegalArgumentException(
          "schedule '%s' exists already with other settings. Replace it, remove it first, or give this one another name."
              .formatted(schedule.name()));
    }
    begin(schedule);
  }

  /**
   * As above, and replaces a schedule of the same name, if there is one. The instants that are due
   * are handled first, and then the new instants count. A paused schedule stays paused.
   */
  public void replace(Schedule<?> schedule) {
    engine.refuseIfEnded();
    refuseOneKeyForAll(schedule);
    schedules.put(schedule.name(), schedule);
    begin(schedule);
  }

  /** A restored store starts nothing until a person has declared what it is. */
  private void begin(Schedule<?> schedule) {
    engine.hold().then(() -> beginNow(schedule));
  }

  private void beginNow(Schedule<?> schedule) {
    change(schedule.name(), row -> row == null ? begun(schedule) : goesOn(schedule, row));
    fireInBackground(schedule.name());
    lookFromTimeToTime();
  }

  private ScheduleRecord begun(Schedule<?> schedule) {
    Instant first = DueInstants.after(engine.wall(), schedule.at());
    return new ScheduleRecord(
        tenant, schedule.name(), schedule.flow().name(), first, null, false, null, 0);
  }

  /** A stored instant that is due is handled, even if the code now names other instants. */
  private ScheduleRecord goesOn(Schedule<?> schedule, ScheduleRecord row) {
    Instant now = engine.wall();
    Instant next = row.nextAt();
    Instant last = row.lastAt();
    // A clock that was set back does not make an instant come again.
    Instant fresh =
        DueInstants.after(last == null || now.isAfter(last) ? now : last, schedule.at());
    boolean isDue = next != null && !next.isAfter(now);
    return row.starting(schedule.flow().name())
        .at(isDue ? next : fresh, isDue ? row.queuedUntil() : null);
  }

  /**
   * Refuses what {@link #add} would refuse.
   *
   * @throws IllegalArgumentException if the flow's key is the same for every instant: it would run
   *     once and never again
   */
  public void check(Schedule<?> schedule) {
    refuseOneKeyForAll(schedule);
  }

  private <I> void refuseOneKeyForAll(Schedule<I> schedule) {
    Instant one = DueInstants.after(engine.wall(), schedule.at());
    Instant two = one == null ? null : DueInstants.after(one, schedule.at());
    if (one != null && two != null) {
      NewRun first = run(schedule, one);
      if (first.id().equals(run(schedule, two).id())) {
        throw new IllegalArgumentException(
            "schedule '%s': flow '%s' computes the key '%s' for every instant, so it would run once. Give an input per instant, or a flow without a key."
                .formatted(schedule.name(), schedule.flow().name(), first.key()));
      }
    }
  }

  /** Pauses a schedule. It starts nothing until it is resumed. */
  public void pause(String name) {
    change(name, row -> existing(name, row).paused(true));
  }

  /** Resumes a schedule. Instants that passed meanwhile follow the catch-up rule. */
  public void resume(String name) {
    change(name, row -> existing(name, row).paused(false));
    fireInBackground(name);
  }

  /** Removes a schedule. It starts nothing any more; its runs stay. */
  public void remove(String name) {
    for (ScheduleRecord row = find(name); row != null; row = find(name)) {
      var gone = new Change.RemoveSchedule(tenant, name, row.version());
      if (commit(gone) instanceof GroupAnswer.Landed) {
        break;
      }
    }
    schedules.remove(name);
  }

  /**
   * Starts the runs of nominal instants in the past, both ends included. Runs that were started
   * before are not started again. A person asked for these runs: {@link Overlap} does not apply to
   * them, and at a full concurrency limit they wait in line.
   *
   * @return how many were started
   * @throws dev.hapax.flow.QuotaExceeded if the tenant may not start that many; some may have been
   *     started, and a later backfill of the same instants starts the others
   */
  public int backfill(String name, Instant from, Instant to) {
    Schedule<?> schedule = code(name);
    if (to.isBefore(from) || to.isAfter(engine.wall())) {
      throw new IllegalArgumentException(
          "backfill of '%s': expected a time that has passed, got %s to %s"
              .formatted(name, from, to));
    }
    List<Instant> instants = new ArrayList<>();
    for (Instant one = DueInstants.after(from.minusMillis(1), schedule.at());
        one != null && !one.isAfter(to);
        one = DueInstants.after(one, schedule.at())) {
      if (instants.size() == MOST_BACKFILLED) {
        throw new IllegalArgumentException(
            "backfill of '%s': expected at most %,d instants, %s to %s has more. Fill it in parts; nothing was started."
                .formatted(name, MOST_BACKFILLED, from, to));
      }
      instants.add(one);
    }
    int started = 0;
    for (int i = 0; i < instants.size(); i += RUNS_PER_COMMIT) {
      started +=
          start(schedule, instants.subList(i, Math.min(i + RUNS_PER_COMMIT, instants.size())));
    }
    return started;
  }

  private int start(Schedule<?> schedule, List<Instant> instants) {
    List<NewRun> runs =
        runs(schedule, instants).stream().filter(run -> store.holder(run.id()) == null).toList();
    if (runs.isEmpty()) {
      return 0;
    }
    QuotaOfInstants.takeAll(engine.starts(), tenant, runs);
    GroupAnswer answer = engine.starts().commit(List.of(), runs, tenant, runs.size());
    if (!(answer instanceof GroupAnswer.Landed landed)) {
      throw new IllegalArgumentException("the store refused these runs: " + answer);
    }
    int fresh =
        (int)
            landed.answers().stream()
                .filter(one -> one instanceof Answer.Spawned spawned && spawned.isFresh())
                .count();
    engine.starts().giveBack(tenant, runs.size() - fresh);
    return fresh;
  }

  /** Returns how many nominal instants this process has left without a run, by schedule. */
  public Map<String, Long> missed() {
    return Map.copyOf(missed);
  }

  /**
   * Returns how many nominal instants this process has left without a run because of other runs, by
   * schedule. Such an instant is not missed.
   */
  public Map<String, Long> skipped() {
    return Map.copyOf(skipped);
  }

  /** Returns all schedules of the store, including those without code in this process. */
  public List<ScheduleView> list() {
    return store.schedules(tenant).stream().map(this::view).toList();
  }

  private ScheduleView view(ScheduleRecord row) {
    Schedule<?> schedule = schedules.get(row.name());
    List<Instant> next = new ArrayList<>();
    for (Instant one = row.nextAt();
        one != null && next.size() < INSTANTS_SHOWN;
        one = schedule == null ? null : DueInstants.after(one, schedule.at())) {
      next.add(one);
    }
    return ScheduleView.of(row, next, schedule != null);
  }

  // ---- firing

  private void fireInBackground(String name) {
    engine.inBackground("hapax-schedule", () -> fireOrTryAgain(name));
  }

  private void fireOrTryAgain(String name) {
    try {
      fire(name);
    } catch (StoreClosed | StoreBroken e) {
      log.debug("schedule '{}' continues when the store is opened again", name);
    } catch (StoreFull e) {
      log.warn("schedule '{}' starts its runs when the store has space again", name);
      engine.later(AFTER_FAILURE, () -> fireInBackground(name));
    } catch (RuntimeException e) {
      log.error("schedule '{}' could not start its runs; it is tried again", name, e);
      engine.later(AFTER_FAILURE, () -> fireInBackground(name));
    }
  }

  /** Starts the runs that are due, and sets an alarm for the next instant. */
  private void fire(String name) {
    while (true) {
      if (engine.holds(tenant)) { // its instants wait, and then follow the catch-up rule
        alarms.await(name, nextLook(), () -> fireInBackground(name));
        return;
      }
      Schedule<?> schedule = schedules.get(name);
      ScheduleRecord row = schedule == null ? null : find(name);
      Instant next = row == null || row.isPaused() ? null : row.nextAt();
      if (schedule == null || row == null || next == null) {
        return;
      }
      Instant now = engine.wall();
      if (next.isAfter(now)) {
        alarms.await(name, next, () -> fireInBackground(name));
        return;
      }
      DueInstants due = due(schedule, row, next, now);
      if (waits(schedule, row, due)) {
        alarms.await(name, nextLook(), () -> fireInBackground(name));
        return;
      }
      start(schedule, row, due);
    }
  }

  /** Instants that wait for an earlier run are on time, no matter how long they wait. */
  private static DueInstants due(
      Schedule<?> schedule, ScheduleRecord row, Instant next, Instant now) {
    Instant queued = row.queuedUntil();
    if (schedule.overlap() == Overlap.QUEUE && queued != null && !next.isAfter(queued)) {
      return DueInstants.queued(next, queued, now, schedule.at());
    }
    return DueInstants.of(next, now, schedule.catchUp(), schedule.at());
  }

  /** Whether nothing would change: the instants that are due wait already. */
  private boolean waits(Schedule<?> schedule, ScheduleRecord row, DueInstants due) {
    Instant queued = row.queuedUntil();
    String last = row.lastRun();
    return schedule.overlap() == Overlap.QUEUE
        && queued != null
        && last != null
        && !due.runs().isEmpty()
        && !due.runs().getLast().isAfter(queued)
        && store.holder(RunId.parse(last)) instanceof KeyHolder.Present(var run, var _)
        && !run.status().isEnd();
  }

  /** The same instant for all that ask within two seconds, so that there is one alarm. */
  private Instant nextLook() {
    long now = engine.wall().getEpochSecond();
    return Instant.ofEpochSecond((now / HELD_SECONDS + 1) * HELD_SECONDS);
  }

  /**
   * Another node may have resumed or added a schedule, and be gone before it is due. So each node
   * checks all schedules from time to time.
   */
  private void lookFromTimeToTime() {
    if (engine.isShared() && looks.compareAndSet(false, true)) {
      engine.later(LOOK, this::lookInBackground);
    }
  }

  private void lookInBackground() {
    engine.inBackground("hapax-schedules", this::look);
  }

  private void look() {
    try {
      for (ScheduleRecord row : store.schedules(tenant)) {
        Instant next = row.isPaused() ? null : row.nextAt();
        boolean isHere = schedules.containsKey(row.name());
        if (isHere && next != null && !alarms.isAwaited(row.name(), next)) {
          fireInBackground(row.name());
        }
      }
    } catch (StoreClosed | StoreBroken e) {
      return;
    } catch (RuntimeException e) {
      log.warn("schedules could not be read; the next try is in {}", LOOK, e);
    }
    engine.later(LOOK, this::lookInBackground);
  }

  /** Writes the runs of the first instants and the row after them in one commit. */
  private void start(Schedule<?> schedule, ScheduleRecord row, DueInstants due) {
    List<Instant> all = due.runs();
    // Of the instants of a queue the first one begins; of those that cancel each other, the last.
    int most = schedule.overlap() == Overlap.QUEUE ? 1 : RUNS_PER_COMMIT;
    int passedOver = schedule.overlap() == Overlap.CANCEL_RUNNING ? Math.max(0, all.size() - 1) : 0;
    boolean isPart = all.size() - passedOver > most;
    List<Instant> now = all.subList(passedOver, isPart ? passedOver + most : all.size());
    Instant next = isPart ? all.get(passedOver + most) : due.next();
    boolean isQueue = isPart && schedule.overlap() == Overlap.QUEUE;
    Instant queuedUntil = isQueue ? all.getLast() : null;
    var quota = QuotaOfInstants.of(engine.starts(), tenant, now, runs(schedule, now));
    int begun = quota.runs().size();
    Instant without =
        due.skipped() != null || quota.note() == null ? due.skipped() : quota.refused().getFirst();
    String note = without == null ? null : Text.storable(note(schedule, due, quota));
    List<Change.Due> starting = new ArrayList<>();
    for (int i = 0; i < begun; i++) {
      starting.add(new Change.Due(now.get(i), quota.runs().get(i)));
    }
    var fire =
        new Change.FireSchedule(
            row.at(next, queuedUntil),
            row.version(),
            schedule.overlap(),
            List.copyOf(starting),
            all.isEmpty() ? Instant.EPOCH : all.getLast(),
            List.copyOf(all.subList(0, passedOver)),
            note);
    NewRun alert = without == null ? null : alert(schedule, without, String.valueOf(note));
    GroupAnswer answer =
        engine
            .starts()
            .commit(List.of(fire), alert == null ? List.of() : List.of(alert), tenant, begun);
    int started = 0;
    if (answer instanceof GroupAnswer.Landed landed
        && landed.answers().getFirst() instanceof Answer.Fired fired) {
      started = fired.started();
      if (fired.skipped() > 0) {
        skipped.merge(row.name(), fired.skipped(), Long::sum);
        log.info(
            "schedule '{}': {} instants start nothing because of other runs; its note says why",
            row.name(),
            fired.skipped());
      }
    }
    if (answer instanceof GroupAnswer.Landed) {
      engine.starts().giveBack(tenant, begun - started);
    }
    if (answer instanceof GroupAnswer.Refused(var problem)) {
      throw new IllegalStateException("the store refused it: " + problem);
    }
    if (answer instanceof GroupAnswer.Landed && without != null) {
      log.warn("schedule '{}': {}", row.name(), note);
      long count = due.countSkipped(schedule.at()) + quota.refused().size();
      missed.merge(row.name(), count, Long::sum);
    } // if it is lost, the row was advanced elsewhere: look again
  }

  private @Nullable NewRun alert(Schedule<?> schedule, Instant first, String note) {
    return engine
        .alerts()
        .about(tenant, schedule.flow().alerts())
        .aboutMissed(
            tenant,
            schedule.flow().name(),
            schedule.name(),
            first.toString(),
            note,
            engine.ids().next());
  }

  private static String note(Schedule<?> schedule, DueInstants due, QuotaOfInstants quota) {
    String refused = quota.note();
    if (due.skipped() == null) {
      return String.valueOf(refused);
    }
    return refused == null ? skipped(schedule, due) : skipped(schedule, due) + "; " + refused;
  }

  private static String skipped(Schedule<?> schedule, DueInstants due) {
    return "skipped %s to %s: no engine started these runs in time, and the catch-up rule is %s"
        .formatted(due.skipped(), due.skippedUntil(), schedule.catchUp());
  }

  private List<NewRun> runs(Schedule<?> schedule, List<Instant> instants) {
    List<NewRun> runs = new ArrayList<>();
    instants.forEach(instant -> runs.add(run(schedule, instant)));
    return runs;
  }

  private <I> NewRun run(Schedule<I> schedule, Instant instant) {
    String name = "schedule/" + schedule.name() + "/" + instant;
    I input = schedule.input().apply(instant);
    return engine.starts().prepare(StartRequest.namedBy(name, tenant, schedule.flow(), input));
  }

  // ---- rows

  private void change(String name, UnaryOperator<@Nullable ScheduleRecord> how) {
    while (true) {
      engine.refuseIfClosed();
      ScheduleRecord row = find(name);
      ScheduleRecord after = how.apply(row);
      if (after == null || after.equals(row)) {
        return;
      }
      var put = new Change.PutSchedule(after, row == null ? 0 : row.version());
      switch (commit(put)) {
        case GroupAnswer.Refused(var problem) ->
            throw new IllegalArgumentException("the store refused this: " + problem);
        case GroupAnswer.Landed _ -> {
          return;
        }
        default -> {} // look again
      }
    }
  }

  private GroupAnswer commit(Change row) {
    return engine.starts().commit(List.of(row), List.of());
  }

  private @Nullable ScheduleRecord find(String name) {
    return store.schedules(tenant).stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private Schedule<?> code(String name) {
    Schedule<?> schedule = schedules.get(name);
    if (schedule == null) {
      throw new IllegalArgumentException(
          "schedule '%s' was not added in this process: call schedules().add(schedule) first"
              .formatted(name));
    }
    return schedule;
  }

  private static ScheduleRecord existing(String name, @Nullable ScheduleRecord row) {
    if (row == null) {
      throw new IllegalArgumentException("there is no schedule '" + name + "'");
    }
    return row;
  }
}
