package dev.hapax.testkit.memory;

import dev.hapax.flow.Activity;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.StoppedDoors;
import dev.hapax.run.wait.Wait;
import dev.hapax.time.IdSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a tenant's runs did, in a store in memory. As in the others, a bounded number of rows
 * of all tenants is read, and only then asked whose they are.
 */
final class MemoryActivity {
  private final MemoryTables tables;
  private final String tenant;
  private final Activity.Span span;
  private final long first;
  private final long last;
  private boolean isWhole = true;

  MemoryActivity(MemoryTables tables, String tenant, Activity.Span span) {
    this.tables = tables;
    this.tenant = tenant;
    this.span = span;
    this.first = IdSource.firstAt(span.from());
    this.last = IdSource.firstAt(span.to());
  }

  Activity read() {
    List<Activity.Created> created = created(newest(_ -> true));
    List<Activity.Failed> failed = new ArrayList<>();
    failed.addAll(failed(newest(run -> isStatus(run, RunStatus.FAILED))));
    failed.addAll(failed(newest(run -> isStatus(run, RunStatus.PARTIAL))));
    List<Activity.Open> open = new ArrayList<>();
    open.addAll(running());
    open.addAll(waiting());
    open.addAll(effects(Activity.Kind.DOUBT, EffectState.DOUBT));
    open.addAll(effects(Activity.Kind.REVIEW, EffectState.REVIEW));
    open.addAll(approvals());
    List<Activity.Stopped> stopped = stopped(newest(run -> run.duplicates() > 0));
    List<Activity.Reused> reused = reused();
    return new Activity(created, failed, open, stopped, reused, isWhole);
  }

  /** Reads the first rows, and returns those of the tenant. */
  private <T> List<T> own(Stream<T> rows, Function<T, String> tenantOf) {
    List<T> read = rows.limit(span.most()).toList();
    isWhole &= read.size() < span.most();
    return read.stream().filter(row -> tenantOf.apply(row).equals(tenant)).toList();
  }

  private List<Run> newest(Predicate<Run> which) {
    return own(
        tables.runs().subMap(first, true, last, false).descendingMap().values().stream()
            .filter(which),
        Run::tenant);
  }

  private static boolean isStatus(Run run, RunStatus status) {
    return run.status() == status && (status != RunStatus.RUNNING || run.owner() != null);
  }

  private record Place(String flow, RunStatus status, int slot) {}

  private List<Activity.Created> created(List<Run> runs) {
    long width = span.slot().toMillis();
    var counts = new LinkedHashMap<Place, Long>();
    for (Run run : runs.reversed()) {
      long away = IdSource.timeOf(run.number()).toEpochMilli() - span.from().toEpochMilli();
      counts.merge(
          new Place(run.flow(), run.status(), Math.toIntExact(away / width)), 1L, Long::sum);
    }
    return counts.entrySet().stream()
        .map(
            entry ->
                new Activity.Created(
                    entry.getKey().flow(),
                    entry.getKey().status(),
                    entry.getKey().slot(),
                    entry.getValue()))
        .toList();
  }

  private record Cause(String flow, String code) {}

  private static List<Activity.Failed> failed(List<Run> runs) {
    var counts = new LinkedHashMap<Cause, Long>();
    for (Run run : runs) {
      if (run.status() == RunStatus.FAILED || run.status() == RunStatus.PARTIAL) {
        Failure error = run.error();
        counts.merge(new Cause(run.flow(), error == null ? "" : error.code()), 1L, Long::sum);
      }
    }
    return counts.entrySet().stream()
        .map(
            entry ->
                new Activity.Failed(entry.getKey().flow(), entry.getKey().code(), entry.getValue()))
        .toList();
  }

  private List<Activity.Open> running() {
    return open(
        Activity.Kind.RUNNING,
        tables.runs().values().stream()
            .filter(run -> run.tenant().equals(tenant) && isStatus(run, RunStatus.RUNNING))
            .toList(),
        Run::flow,
        Run::number);
  }

  private List<Activity.Open> waiting() {
    return open(
        Activity.Kind.WAITING,
        own(
            tables.runs().values().stream().filter(run -> isStatus(run, RunStatus.WAITING)),
            Run::tenant),
        Run::flow,
        Run::number);
  }

  private List<Activity.Open> effects(Activity.Kind kind, EffectState state) {
    return open(
        kind,
        own(
            tables.ledger().all().values().stream()
                .filter(effect -> effect.state() == state)
                .sorted((one, other) -> Long.compare(one.number(), other.number())),
            effect -> effect.key().tenant()),
        effect -> flowOf(effect.run()),
        EffectRecord::number);
  }

  private List<Activity.Open> approvals() {
    return open(
        Activity.Kind.APPROVAL,
        own(
            tables.waits().stream()
                .filter(wait -> wait.tenant().equals(tenant))
                .filter(wait -> wait.kind() == Wait.Kind.APPROVAL && wait.isOpen())
                .sorted((one, other) -> Long.compare(one.number(), other.number())),
            Wait::tenant),
        wait -> flowOf(wait.run()),
        Wait::number);
  }

  private @Nullable String flowOf(long run) {
    Run found = tables.runs().get(run);
    return found == null ? null : found.flow();
  }

  private static <T> List<Activity.Open> open(
      Activity.Kind kind,
      List<T> oldestFirst,
      Function<T, @Nullable String> flow,
      ToLongFunction<T> number) {
    Map<@Nullable String, Activity.Open> found = new LinkedHashMap<>();
    oldestFirst.forEach(
        row -> {
          String name = flow.apply(row);
          Activity.Open known = found.get(name);
          found.put(
              name,
              known == null
                  ? new Activity.Open(name, kind, 1, IdSource.timeOf(number.applyAsLong(row)))
                  : new Activity.Open(name, kind, known.count() + 1, known.oldest()));
        });
    return List.copyOf(found.values());
  }

  private record FlowDoor(String flow, Door door) {}

  private List<Activity.Stopped> stopped(List<Run> runs) {
    var counts = new HashMap<FlowDoor, Long>();
    for (Run run : runs) {
      StoppedDoors.of(run.duplicates(), tables.stoppedNotes(run.number()))
          .forEach((door, count) -> counts.merge(new FlowDoor(run.flow(), door), count, Long::sum));
    }
    return counts.entrySet().stream()
        .map(
            entry ->
                new Activity.Stopped(
                    entry.getKey().flow(), entry.getKey().door(), entry.getValue()))
        .toList();
  }

  private List<Activity.Reused> reused() {
    Map<@Nullable String, Long> counts = new HashMap<>();
    own(
            tables.ledger().all().values().stream()
                .filter(effect -> effect.number() >= first && effect.number() < last)
                .sorted((one, other) -> Long.compare(other.number(), one.number())),
            (EffectRecord effect) -> effect.key().tenant())
        .stream()
        .filter(effect -> effect.reusedBy() != null)
        .forEach(
            effect -> {
              String flow = flowOf(effect.run());
              counts.put(flow, counts.getOrDefault(flow, 0L) + 1);
            });
    List<Activity.Reused> all = new ArrayList<>();
    counts.forEach((flow, count) -> all.add(new Activity.Reused(flow, count)));
    return all;
  }
}
