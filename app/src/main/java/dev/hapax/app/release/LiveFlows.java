package dev.hapax.app.release;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.BadFlowFile;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowFormat;
import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The releases that this node executes: compiled when they are first needed and registered with the
 * engine from then on. The engine asks for the release of a run that is not here through {@link
 * FlowSource}, so a promotion touches no run. Safe for many threads.
 */
public final class LiveFlows implements Flows, FlowSource {
  private static final Logger log = LoggerFactory.getLogger(LiveFlows.class);

  /** The longest delay until a node learns of a promotion on another one. */
  private static final Duration KNOWN_FOR = Duration.ofSeconds(1);

  private static final int PAGE = 200;

  private static final Set<RunStatus> OPEN =
      Stream.of(RunStatus.values())
          .filter(status -> !status.isEnd())
          .collect(Collectors.toUnmodifiableSet());

  private final ReleaseBook book;
  private final Hapax hapax;
  private final FilesOfTenant files;
  private final Clock clock;
  private final CompileThreads threads = new CompileThreads();
  private final ConcurrentMap<FlowName, Known> known = new ConcurrentHashMap<>();
  private final ConcurrentMap<FlowName, Integer> moving = new ConcurrentHashMap<>();
  private final ConcurrentMap<Numbered, LoadedFlow> compiled = new ConcurrentHashMap<>();
  private final ConcurrentMap<Numbered, LoadedFlow> registered = new ConcurrentHashMap<>();

  /** Releases of other versions of Hapax, and why this one cannot read them. */
  private final ConcurrentMap<Numbered, BadFlowFile> unreadable = new ConcurrentHashMap<>();

  /** The connections and secrets that a tenant's flow files may use. */
  @FunctionalInterface
  public interface FilesOfTenant {
    /** Always returns the same object for the same tenant. */
    FlowFiles of(String tenant);
  }

  private record Known(FlowState state, long atNanos) {}

  private record Numbered(FlowName flow, int release) {}

  /**
   * The flows of all tenants of an engine.
   *
   * @param hapax as it was opened
   */
  public LiveFlows(ReleaseBook book, Hapax hapax, FilesOfTenant files, Clock clock) {
    this.book = book;
    this.hapax = hapax;
    this.files = files;
    this.clock = clock;
  }

  @Override
  public @Nullable LoadedFlow find(String tenant, String flow) {
    return live(new FlowName(tenant, flow));
  }

  @Nullable LoadedFlow live(FlowName flow) {
    int release = state(flow).live();
    return release == 0 ? null : load(flow, release);
  }

  /** As above; of a retired flow, returns the release that was live: for runs under way. */
  public @Nullable LoadedFlow lastLive(String tenant, String flow) {
    var name = new FlowName(tenant, flow);
    FlowState state = state(name);
    Retirement retired = state.retired();
    int release = retired == null ? state.live() : retired.release();
    return release == 0 ? null : load(name, release);
  }

  public boolean isRetired(String tenant, String flow) {
    return state(new FlowName(tenant, flow)).retired() != null;
  }

  /** Finds the code for runs whose release is not registered here. The engine registers it. */
  @Override
  public @Nullable Flow<?, ?> find(String tenant, String flow, int release) {
    try {
      LoadedFlow found = compiled(new Numbered(new FlowName(tenant, flow), release));
      return found == null ? null : found.flow();
    } catch (BadFlowFile e) {
      return null; // it was logged
    }
  }

  /** Returns a certain release, ready to be used; null if there is none. */
  public @Nullable LoadedFlow release(String tenant, String flow, int number) {
    return load(new FlowName(tenant, flow), number);
  }

  /** Returns the release, compiled and registered with the engine; null if there is none. */
  @Nullable LoadedFlow load(FlowName flow, int number) {
    var key = new Numbered(flow, number);
    LoadedFlow here = registered.get(key);
    if (here != null) {
      return here;
    }
    LoadedFlow found = compiled(key);
    return found == null ? null : registered.computeIfAbsent(key, _ -> register(flow, found));
  }

  private LoadedFlow register(FlowName flow, LoadedFlow release) {
    hapax.tenant(flow.tenant()).register(release.flow());
    return release;
  }

  private @Nullable LoadedFlow compiled(Numbered key) {
    LoadedFlow here = compiled.get(key);
    if (here != null) {
      return here;
    }
    BadFlowFile known = unreadable.get(key);
    if (known != null) {
      throw known;
    }
    Release release = book.find(key.flow(), key.release());
    if (release == null) {
      return null;
    }
    try {
      return compiled.computeIfAbsent(key, _ -> compile(key.flow(), release));
    } catch (BadFlowFile e) {
      if (unreadable.putIfAbsent(key, e) == null) {
        log.error(
            "release {} of {} of tenant '{}' was released by another version of Hapax and cannot be"
                + " read by this one; it is no tool, its triggers are off and its runs wait: {}",
            key.release(),
            key.flow(),
            key.flow().tenant(),
            e.getMessage());
      }
      throw e;
    }
  }

  /** Returns a draft that was run before and has not changed since; null if it was not. */
  @Nullable LoadedFlow loadedDraft(FlowName flow, Draft draft) {
    var space = new FlowName(FlowFiles.draftsOf(flow.tenant()), flow.flow());
    return registered.get(
        new Numbered(space, FlowFiles.draftRelease(draft.text(), FlowFormat.NEWEST)));
  }

  /** Returns a draft, compiled and registered with the engine in the space of drafts. */
  LoadedFlow draft(FlowName flow, Draft draft) {
    var space = new FlowName(FlowFiles.draftsOf(flow.tenant()), flow.flow());
    String text = draft.text();
    int number = FlowFiles.draftRelease(text, FlowFormat.NEWEST);
    book.keep(space, Release.made(number, text, null, draft.author(), draft.updatedAt()));
    return Objects.requireNonNull(load(space, number), "a draft that was just stored");
  }

  /**
   * Checks and compiles something that a caller has sent, on threads that answer no requests.
   *
   * @param text its size decides which ones
   * @throws dev.hapax.app.http.Problem if too many callers wait already
   */
  public <T> T checked(String tenant, String text, Supplier<T> work) {
    return threads.check(tenant, text, work);
  }

  /** Compiles what a run needs; never refused. */
  public <T> T compiled(Supplier<T> work) {
    return threads.compile(work);
  }

  /** The threads on which files are checked and compiled. */
  CompileThreads threads() {
    return threads;
  }

  private LoadedFlow compile(FlowName flow, Release release) {
    String owner = FlowFiles.ownerOfDrafts(flow.tenant());
    FlowFiles ofTenant = files.of(owner == null ? flow.tenant() : owner);
    String file = flow.flow() + ".yaml";
    LoadedFlow loaded;
    try {
      FlowFormat format = FlowFormat.of(release.format());
      loaded =
          threads.compile(
              () ->
                  owner == null
                      ? ofTenant.load(file, release.text(), release.number(), format)
                      : ofTenant.loadDraft(file, release.text(), format));
    } catch (IllegalArgumentException e) { // such as a format that is newer than this version
      throw unreadable(file, release, e);
    }
    ofTenant.prepare(hapax.tenant(flow.tenant()), loaded);
    return loaded;
  }

  private static BadFlowFile unreadable(
      String file, Release release, IllegalArgumentException reason) {
    var finding =
        new Finding(
            "release-format",
            Level.ERROR,
            new Position(file, 1, 1),
            "this version of Hapax cannot read release %d".formatted(release.number()),
            String.valueOf(reason.getMessage()));
    return new BadFlowFile(new Check.Result(null, List.of(finding), release.text()));
  }

  private FlowState state(FlowName flow) {
    if (moving.containsKey(flow)) {
      return book.state(flow);
    }
    Known before = known.get(flow);
    if (before != null && isFresh(before)) {
      return before.state();
    }
    // Inside the map's lock of this flow, so that no older reading survives a change.
    Known read =
        known.compute(
            flow,
            (_, now) ->
                now != null && isFresh(now) ? now : new Known(book.state(flow), clock.nanos()));
    if (read.state().newest() == 0) { // unreleased names are not cached: any caller can ask
      known.remove(flow, read);
    }
    return read.state();
  }

  private boolean isFresh(Known state) {
    return clock.nanos() - state.atNanos() < KNOWN_FOR.toNanos();
  }

  /**
   * Makes a commit that changes the live releases of these flows. Meanwhile this node believes no
   * state that it has read before, so a start sees all of them as before, or all of them as after.
   */
  <T> T whileMoving(Collection<FlowName> flows, Supplier<T> commit) {
    flows.forEach(flow -> moving.merge(flow, 1, Integer::sum));
    flows.forEach(known::remove);
    try {
      return commit.get();
    } finally {
      flows.forEach(known::remove);
      flows.forEach(
          flow -> moving.computeIfPresent(flow, (_, count) -> count == 1 ? null : count - 1));
    }
  }

  /** Returns how many runs of a flow have not ended, by release; looks at so many at most. */
  Map<Integer, Integer> openRuns(FlowName flow, int most) {
    var open = new TreeMap<Integer, Integer>();
    RunFilter filter =
        RunFilter.of(flow.tenant()).flow(flow.flow()).anyOf(OPEN).limit(Math.min(PAGE, most));
    int seen = 0;
    List<Run> page;
    do {
      page = hapax.tenant(flow.tenant()).runs(filter);
      page.forEach(run -> open.merge(run.release(), 1, Integer::sum));
      seen += page.size();
      filter = page.isEmpty() ? filter : filter.before(page.getLast().number());
    } while (page.size() == PAGE && seen < most);
    return open;
  }

  /** Returns what this flow needs and its tenant does not have here. */
  List<Finding> missing(FlowName flow, FlowFile file, Predicate<String> signing) {
    return files.of(flow.tenant()).missing(file, signing);
  }

  /**
   * As above, when these connections will be here, too.
   *
   * @param soon instead of the tenant's own of the same names
   * @param flowsSoon given which flows are here, says which will be
   */
  List<Finding> missing(
      FlowName flow,
      FlowFile file,
      Predicate<String> signing,
      Connections soon,
      UnaryOperator<Predicate<String>> flowsSoon) {
    return files.of(flow.tenant()).missing(file, signing, soon, flowsSoon);
  }

  /** Returns whether there are runs of a flow of this name, perhaps one in Java. */
  boolean hasRuns(FlowName flow) {
    return !hapax
        .tenant(flow.tenant())
        .runs(RunFilter.of(flow.tenant()).flow(flow.flow()).limit(1))
        .isEmpty();
  }

  /** Forgets the cached state of this flow, which has just changed. */
  void changed(FlowName flow) {
    known.remove(flow);
  }
}
