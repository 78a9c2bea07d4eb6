package dev.hapax.job;

import dev.hapax.flow.JobKind;
import dev.hapax.flow.JobSelection;
import dev.hapax.flow.Names;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunSearch;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.TextMatch;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the runs that a selection names, newest first, in pages. */
public final class RunPages {
  /** What {@link #filter} understands. */
  static final List<String> KNOWN =
      List.of(
          "flow",
          "flows",
          "label",
          "key",
          "keyPrefix",
          "status",
          "error",
          "retryable",
          "since",
          "until",
          "search");

  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

  private final Store store;
  private final String tenant;
  private final JobSpec spec;
  private final Set<RunStatus> statuses;

  /**
   * @param statuses of the runs that fit, if the selection names none
   */
  public RunPages(Store store, String tenant, JobSpec spec, Set<RunStatus> statuses) {
    this.store = store;
    this.tenant = tenant;
    this.spec = spec;
    this.statuses = statuses;
  }

  /** Refuses what a job cannot select runs by. */
  public static void check(String kind, JobSelection selection, Set<RunStatus> allowed) {
    selection.refuseOtherThan(kind, KNOWN);
    checkStatus(kind, selection.status(), allowed);
    Map<String, String> fields = selection.search();
    if (fields != null) {
      fields.keySet().forEach(Names::searchField);
    }
    ids(selection).forEach(RunId::parse);
  }

  private static void checkStatus(String kind, @Nullable String word, Set<RunStatus> allowed) {
    if (word != null && allowed.stream().noneMatch(status -> status.word().equals(word))) {
      throw new IllegalArgumentException(
          "filter.status: a job '%s' expects one of %s, got '%s'"
              .formatted(kind, allowed.stream().map(RunStatus::word).sorted().toList(), word));
    }
  }

  static List<String> ids(JobSelection selection) {
    List<String> ids = selection.ids();
    return ids == null ? List.of() : ids;
  }

  /**
   * Returns the next page.
   *
   * @param view makes an item of a run
   */
  public JobKind.Page page(
      @Nullable String place, int limit, Function<Run, JobKind.Selected> view) {
    return pageOf(place, limit, runs -> runs.stream().map(view).toList());
  }

  /**
   * Returns the next page.
   *
   * @param view makes the items of some runs
   */
  JobKind.Page pageOf(
      @Nullable String place, int limit, Function<List<Run>, List<JobKind.Selected>> view) {
    List<String> ids = ids(spec.filter());
    if (!ids.isEmpty()) {
      return byId(ids, place, limit, view);
    }
    List<String> flows = spec.filter().flows();
    if (flows != null && flows.isEmpty()) {
      return new JobKind.Page(List.of(), null); // no flow has the label
    }
    List<JobKind.Selected> items = new ArrayList<>();
    var sizes = new PageSizes(limit);
    String last = place;
    for (int wanted = sizes.next(); wanted > 0; wanted = sizes.next()) {
      RunFilter filter = filter().limit(wanted);
      List<Run> found = store.runs(last == null ? filter : filter.before(Long.parseLong(last, 36)));
      List<Run> inTime = found.stream().takeWhile(run -> !isOlder(run)).toList();
      items.addAll(view.apply(inTime.stream().filter(this::fits).toList()));
      if (inTime.size() < wanted) {
        return new JobKind.Page(items, null);
      }
      found.forEach(run -> sizes.read(bytes(run)));
      last = Long.toString(found.getLast().number(), 36);
    }
    return new JobKind.Page(items, last);
  }

  private static long bytes(Run run) {
    String output = run.output();
    return (long) run.input().length() + (output == null ? 0 : output.length());
  }

  /** A run that is not there is listed too, so that the result says so. */
  private JobKind.Page byId(
      List<String> ids,
      @Nullable String place,
      int limit,
      Function<List<Run>, List<JobKind.Selected>> view) {
    int from = place == null ? 0 : Integer.parseInt(place);
    int to = Math.min(ids.size(), from + limit);
    List<@Nullable Run> named = new ArrayList<>();
    ids.subList(from, to).forEach(id -> named.add(find(id)));
    Map<String, JobKind.Selected> views = new HashMap<>();
    view.apply(named.stream().filter(Objects::nonNull).distinct().toList())
        .forEach(one -> views.put(one.subject(), one));
    List<JobKind.Selected> items = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Run run = named.get(i - from);
      JobKind.Selected one = run == null ? null : views.get(run.id().toString());
      items.add(one == null ? new JobKind.Selected(ids.get(i), null, null) : one);
    }
    return new JobKind.Page(items, to == ids.size() ? null : String.valueOf(to));
  }

  /** Returns the run if the job may touch it. */
  @Nullable Run find(String id) {
    Run run = store.find(RunId.parse(id));
    return run != null && run.tenant().equals(tenant) && spec.allows(run.flow()) ? run : null;
  }

  private boolean fits(Run run) {
    return !run.flow().equals(JobTurn.FLOW) && spec.allows(run.flow());
  }

  private boolean isOlder(Run run) {
    Instant since = spec.filter().since();
    return since != null && run.createdAt().isBefore(since);
  }

  private RunFilter filter() {
    JobSelection wanted = spec.filter();
    String status = wanted.status();
    Instant until = wanted.until();
    String prefix = wanted.keyPrefix();
    return new RunFilter(
        tenant,
        wanted.flow(),
        wanted.key(),
        status == null ? statuses : Set.of(RunStatus.of(status)),
        null,
        until == null ? null : (Long) firstAt(until),
        null,
        RunSearch.NONE
            .fields(Objects.requireNonNullElse(wanted.search(), Map.of()))
            .flows(Set.copyOf(Objects.requireNonNullElse(wanted.flows(), List.of())))
            .key(prefix == null ? null : TextMatch.beginningWith(prefix))
            .retryable(wanted.retryable())
            .error(wanted.error()),
        1);
  }

  /** Numbers are in the order of time. */
  public static long firstAt(Instant time) {
    return IdSource.firstAt(time.isAfter(LAST) ? LAST : time.isBefore(FIRST) ? FIRST : time);
  }
}
