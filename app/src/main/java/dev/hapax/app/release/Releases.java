package dev.hapax.app.release;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.Names;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flows.BadFlowFile;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of people on flows: put a draft, release it, make a release live. A release is
 * immutable; making another one live starts nothing, stops nothing and touches no run. Safe for
 * many threads and nodes.
 */
public final class Releases {
  private static final int FLOWS_AT_ONCE = 200;

  private static final Logger log = LoggerFactory.getLogger(Releases.class);

  private final ReleaseBook book;
  private final LiveFlows live;
  private final Clock clock;
  private final FlowLabels labels;
  private final HookPaths paths;
  private final Claims schedules;
  private final Claims queues;
  // Guarded by itself: the release of a flow that listeners were last notified of.
  private final Map<FlowName, Integer> told = new HashMap<>();
  private final List<Promoted> listeners = new CopyOnWriteArrayList<>();
  private volatile Set<String> inJava = Set.of();
  private volatile Predicate<String> tenants = _ -> false;
  private volatile BiPredicate<String, String> signing = (_, _) -> true;

  /** Is notified of every live release: those at the start, and changes here or elsewhere. */
  public interface Promoted {
    /** Throws if this release must not be live; nothing has changed yet. */
    void check(FlowName flow, LoadedFlow next);

    /**
     * The live release has changed.
     *
     * @param before null if there was none
     */
    void promoted(FlowName flow, @Nullable LoadedFlow before, LoadedFlow now);

    /** No release is live any more; also called at the start of a node. */
    void retired(FlowName flow);
  }

  /**
   * The releases of all tenants.
   *
   * @param map the server's own, out of reach of flows
   */
  public Releases(Kv map, ReleaseBook book, LiveFlows live, Clock clock) {
    this.book = book;
    this.live = live;
    this.clock = clock;
    this.labels = new FlowLabels(book, clock);
    this.paths =
        new HookPaths(
            new Claims(new Records<>(map, "hooks", Claims.Claim.class), clock),
            name -> tenants.test(name),
            this::usesPath);
    this.schedules = new Claims(new Records<>(map, "schedules", Claims.Claim.class), clock);
    this.queues = new Claims(new Records<>(map, "queue-names", Claims.Claim.class), clock);
  }

  public void onPromotion(Promoted listener) {
    listeners.add(listener);
  }

  /** Reserves the names of flows that the program has in Java: no file may be put under them. */
  public void inJava(Set<String> names) {
    inJava = Set.copyOf(names);
  }

  boolean isInJava(String flow) {
    return inJava.contains(flow);
  }

  /** Reserves the webhook addresses that begin with the name of a tenant, for that tenant. */
  public void tenants(Predicate<String> isTenant) {
    tenants = isTenant;
  }

  /** Says whether a tenant has a secret for the signatures of its webhooks. */
  public void signingSecrets(BiPredicate<String, String> has) {
    signing = has;
  }

  /**
   * Makes all live releases known to this node: at its start, when listeners are there, and from
   * time to time if other nodes can promote. A release that cannot be read here is logged and
   * skipped.
   */
  public void follow() {
    for (Stored<FlowState> flow : book.all()) {
      FlowName name = flow.value().name();
      try {
        if (isNews(flow.value())) {
          tell(name);
        }
      } catch (BadFlowFile e) {
        log.debug("the live release of {} cannot be read here", name, e); // it was logged
      }
    }
  }

  /** Most flows are as before, and a tenant may have thousands of drafts. */
  private boolean isNews(FlowState flow) {
    synchronized (told) {
      return flow.hasBeenLive() && !Objects.equals(told.get(flow.name()), flow.live());
    }
  }

  /** Notifies listeners of each change once and in order, no matter which node made it. */
  void tell(FlowName flow) {
    synchronized (told) {
      FlowState state = book.state(flow);
      int release = state.live();
      Integer before = told.get(flow);
      if (!state.hasBeenLive() || Objects.equals(before, release)) {
        return;
      }
      live.changed(flow);
      told.put(flow, release); // also if it cannot be read: listeners are notified once
      try {
        if (release == 0) {
          listeners.forEach(listener -> listener.retired(flow));
          return;
        }
        LoadedFlow old = before == null || before == 0 ? null : live.load(flow, before);
        LoadedFlow now = Objects.requireNonNull(live.load(flow, release));
        listeners.forEach(listener -> listener.promoted(flow, old, now));
      } catch (StoreUnavailable e) { // the next look notifies them
        if (before == null) {
          told.remove(flow);
        } else {
          told.put(flow, before);
        }
        throw e;
      }
    }
  }

  // ---- drafts

  /** A draft that was written, and its problems so far. */
  public record DraftPut(Stored<Draft> draft, List<Finding> findings) {}

  /**
   * Writes a draft, also one with errors: it is checked when it is released.
   *
   * @param expected the version that it replaces, 0 for none; null for any
   */
  public DraftPut putDraft(FlowName flow, String text, Actor author, @Nullable Long expected) {
    refuseJavaName(flow, author);
    Check.Result checked = check(flow, text);
    FlowFile file = checked.file();
    refuseForeignChildren(flow, file, author.flows());
    Outcome<Draft> outcome =
        book.putDraft(
            flow,
            new Draft(text, author.name(), clock.now(), file == null ? List.of() : file.labels()),
            expected,
            standing -> refuseForeignLabels(flow, standing, file, author.flows()));
    labels.changed(flow);
    if (!outcome.written()) {
      Stored<Draft> standing = outcome.standing();
      throw Problem.stale(
          standing == null
              ? "the draft of %s is gone; put it without If-Match".formatted(flow)
              : "the draft of %s was changed by '%s' at %s. Get it, put your changes into it, and put it with its ETag."
                  .formatted(flow, standing.value().author(), standing.value().updatedAt()));
    }
    return new DraftPut(Objects.requireNonNull(outcome.standing()), checked.findings());
  }

  void refuseJavaName(FlowName flow, Actor author) {
    Names.flow(flow.flow());
    boolean isOwn = Names.isOwnFlow(flow.flow());
    if (isOwn || isInJava(flow.flow())) {
      throw author.flows().allowsName(flow.flow())
          ? Problem.notPossible(
              "flow '%s' %s; give the file another name"
                  .formatted(
                      flow.flow(),
                      isOwn
                          ? "is reserved: names that begin with '%s' belong to Hapax"
                              .formatted(Names.OWN_FLOWS)
                          : "is written in Java in this program"))
          : LabelRule.noSuchFlow(flow, author.flows());
    }
  }

  /** A run starts its child runs, so a limited token must not write calls of other flows. */
  void refuseForeignChildren(FlowName flow, @Nullable FlowFile file, FlowLimit limit) {
    if (file == null || limit.isAll()) {
      return;
    }
    for (String told : file.notifiedFlows()) {
      if (!told.equals(flow.flow())
          && !limit.allows(told, name -> labels.now(new FlowName(flow.tenant(), name)))) {
        throw Problem.forbidden(
            "an alert or a notice starts flow '%s', which is not among the flows of this token (%s). Use a token that may use both"
                .formatted(told, limit));
      }
    }
    for (FlowStep step : file.allSteps()) {
      for (String child : step.kind().startedFlows()) {
        if (!child.equals(flow.flow())
            && !limit.allows(child, name -> labels.now(new FlowName(flow.tenant(), name)))) {
          throw Problem.forbidden(
              "step '%s' calls flow '%s', which is not among the flows of this token (%s). Use a token that may use both"
                  .formatted(step.id(), child, limit));
        }
      }
    }
  }

  /**
   * A draft gives a flow its labels until a release is live. A file that cannot be read has none,
   * and cannot become live.
   */
  void refuseForeignLabels(
      FlowName flow, @Nullable Draft standing, @Nullable FlowFile file, FlowLimit limit) {
    if (limit.allowsName(flow.flow())) {
      return;
    }
    FlowState state = book.state(flow);
    List<String> after = file == null ? List.of() : file.labels();
    if (standing != null || state.newest() != 0) {
      List<String> before = FlowLabels.counting(state, standing);
      LabelRule.refuseOtherLabels(
          flow, before, file == null && state.hasBeenLive() ? before : after, limit);
    } else if (live.hasRuns(flow)) { // of a flow in Java: this file would make them visible
      throw LabelRule.noSuchFlow(flow, limit);
    } else {
      LabelRule.refuseOtherLabels(flow, after, limit);
    }
  }

  /** Refuses a file of another flow; a file that cannot be read has no name yet. */
  private Check.Result check(FlowName flow, String text) {
    Check.Result checked =
        live.threads().check(flow.tenant(), text, () -> Check.check(flow.flow() + ".yaml", text));
    FlowFile file = checked.file();
    if (file != null && !file.name().equals(flow.flow())) {
      throw Problem.invalidInput(
          "the file defines flow '%s', but was sent as '%s'".formatted(file.name(), flow.flow()));
    }
    return checked;
  }

  @Nullable Stored<Draft> draftOrNull(FlowName flow) {
    return book.draft(flow);
  }

  public Stored<Draft> draft(FlowName flow) {
    Stored<Draft> draft = book.draft(flow);
    if (draft == null) {
      throw Problem.notFound("%s has no draft".formatted(flow));
    }
    return draft;
  }

  /** Returns the problems of the draft now. */
  List<Finding> draftFindings(FlowName flow) {
    return check(flow, draft(flow).value().text()).findings();
  }

  // ---- releases

  /** Returns the draft, to be run without sending anything. */
  public LoadedFlow runnableDraft(FlowName flow) {
    Draft draft = draft(flow).value();
    LoadedFlow here = live.loadedDraft(flow, draft);
    if (here != null) {
      return here; // a file with errors is never loaded
    }
    refuseErrors(flow, check(flow, draft.text()), "started");
    return live.draft(flow, draft);
  }

  private static FlowFile refuseErrors(FlowName flow, Check.Result checked, String what) {
    FlowFile file = checked.file();
    if (file == null || checked.hasErrors()) {
      throw Problem.findings(
          "the draft of %s has errors; nothing was %s".formatted(flow, what),
          checked.findings().stream().map(Finding::json).toList());
    }
    return file;
  }

  /** A release that exists now, with the warnings about its file. */
  public record Released(Release release, boolean isNew, List<Finding> findings) {}

  /**
   * How to make a release.
   *
   * @param note what changed, for people
   * @param allowMissing whether it may need what this server does not have yet
   */
  public record Wish(@Nullable String note, boolean allowMissing) {}

  /**
   * Makes a release of the draft. Repeated with the same draft, it returns the same release.
   *
   * @param permission throws if this file may not be released
   */
  public Released release(FlowName flow, Wish wish, Actor author, Consumer<FlowFile> permission) {
    Draft draft = draft(flow).value();
    Check.Result checked = check(flow, draft.text());
    FlowFile file = refuseErrors(flow, checked, "released");
    permission.accept(file);
    FlowState state = book.state(flow);
    LabelRule.refuseOtherLabels(
        flow, FlowLabels.counting(state, draft), file.labels(), author.flows());
    List<Finding> missing = missing(flow, file, wish.allowMissing(), "released");
    claim(flow, file);
    Release release =
        book.release(
            flow,
            Release.hashOf(draft.text()),
            number -> Release.made(number, draft.text(), wish.note(), author.name(), clock.now()));
    live.changed(flow);
    return new Released(
        release,
        release.number() > state.newest(),
        Stream.concat(checked.findings().stream(), missing.stream()).toList());
  }

  /**
   * Refuses a flow that needs what this server does not have; or returns that as warnings, if it
   * may be missing.
   */
  private List<Finding> missing(FlowName flow, FlowFile file, boolean allowed, String what) {
    List<Finding> missing = live.missing(flow, file, secret -> signing.test(flow.tenant(), secret));
    if (!missing.isEmpty() && !allowed) {
      throw Problem.findings(
          "%s needs what this server does not have; nothing was %s. Add it, or say allowMissing (--allow-missing) to add it later"
              .formatted(flow, what),
          missing.stream().map(Finding::json).toList());
    }
    return missing.stream().map(Finding::asWarning).toList();
  }

  public Release get(FlowName flow, int number) {
    Release release = book.find(flow, number);
    if (release == null) {
      throw Problem.notFound("%s has no release %d".formatted(flow, number));
    }
    return release;
  }

  /** Returns the names of the flows that have this label now. */
  public Set<String> labelled(String tenant, String label) {
    return allOf(tenant)
        .filter(state -> labels().of(state).contains(label))
        .map(state -> state.name().flow())
        .collect(Collectors.toSet());
  }

  /** Returns at most this many names of flows that begin with this, in order. */
  public List<String> beginningWith(String tenant, String beginning, int most) {
    return allOf(tenant)
        .map(state -> state.name().flow())
        .filter(name -> name.startsWith(beginning))
        .limit(most)
        .toList();
  }

  Stream<FlowState> allOf(String tenant) {
    var all = new ArrayList<FlowState>();
    String after = null;
    List<FlowState> page;
    do {
      page = flows(tenant, after, FLOWS_AT_ONCE);
      all.addAll(page);
      after = page.isEmpty() ? null : page.getLast().name().flow();
    } while (page.size() == FLOWS_AT_ONCE);
    return all.stream();
  }

  /** Returns releases, newest first. */
  public List<Release> list(FlowName flow, int before, int limit) {
    state(flow);
    return book.releases(flow, before, limit);
  }

  public FlowState state(FlowName flow) {
    if (!book.has(flow)) {
      throw Problem.notFound("there is no %s".formatted(flow));
    }
    return book.state(flow);
  }

  /** Returns flows by name. */
  public List<FlowState> flows(String tenant, @Nullable String after, int limit) {
    return book.flows(tenant, after, limit).stream().map(Stored::value).toList();
  }

  /** Returns how the files of two releases differ, in the unified format; empty if equal. */
  public String diff(FlowName flow, int from, int to) {
    return TextDiff.between(
        "release " + from, get(flow, from).text(), "release " + to, get(flow, to).text());
  }

  ReleaseBook book() {
    return book;
  }

  LiveFlows live() {
    return live;
  }

  Retirements retirements() {
    return new Retirements(this, clock);
  }

  /** Returns why nothing can start a flow that is retired; null if it is not. */
  public @Nullable Problem whyRetired(FlowName flow) {
    Retirement retired = book.state(flow).retired();
    return retired == null
        ? null
        : Problem.notPossible(
            "%s is retired since %s, by '%s': nothing can start it. Make a release live again, for example: hapax promote %s %d"
                .formatted(flow, retired.at(), retired.by(), flow.flow(), retired.release()));
  }

  /** Refuses a release that must not be live; nothing has changed yet. */
  void refuseUnfit(FlowName flow, LoadedFlow next) {
    listeners.forEach(listener -> listener.check(flow, next));
  }

  Predicate<String> signingSecretsOf(String tenant) {
    return secret -> signing.test(tenant, secret);
  }

  // ---- live

  /** A release that is live now, with warnings about what it needs. */
  public record NowLive(FlowState state, List<Finding> findings) {}

  /**
   * Makes new runs start on this release from now on; it may be an older one.
   *
   * @param allowMissing whether it may need what this server does not have yet
   */
  public NowLive promote(FlowName flow, int number, boolean allowMissing, Actor author) {
    get(flow, number);
    LoadedFlow now = compiled(flow, number);
    List<String> after = now.file().labels();
    Stored<Draft> stored = book.draft(flow);
    Draft draft = stored == null ? null : stored.value();
    Consumer<FlowState> permission =
        state ->
            LabelRule.refuseOtherLabels(
                flow, FlowLabels.counting(state, draft), after, author.flows());
    permission.accept(book.state(flow)); // before anything is claimed
    List<Finding> missing = missing(flow, now.file(), allowMissing, "promoted");
    refuseUnfit(flow, now);
    claim(flow, now.file());
    book.change(
        flow,
        state -> {
          permission.accept(state); // another promotion may have changed the labels
          return state.promoted(number, clock.now(), author.name(), after);
        });
    live.changed(flow);
    labels.changed(flow);
    tell(flow);
    return new NowLive(book.state(flow), missing);
  }

  LoadedFlow compiled(FlowName flow, int number) {
    try {
      return Objects.requireNonNull(live.load(flow, number));
    } catch (BadFlowFile e) {
      throw Problem.findings(
          "release %d of %s has errors for this version of Hapax; it cannot be live"
              .formatted(number, flow),
          e.findings().stream().map(Finding::json).toList());
    }
  }

  /** The labels of all flows. */
  public FlowLabels labels() {
    return labels;
  }

  /** The addresses of the webhooks of all flows. */
  public HookPaths hookPaths() {
    return paths;
  }

  void claim(FlowName flow, FlowFile file) {
    for (Trigger trigger : file.triggers()) {
      switch (trigger) {
        case WebhookTrigger webhook ->
            refuseIf(
                paths.take(flow, webhook.path()),
                flow,
                "the path '%s' of its webhook".formatted(webhook.path()));
        case ScheduleTrigger schedule -> {
          FlowName owner =
              schedules.take(
                  Records.name(flow.tenant(), schedule.name()),
                  flow,
                  other -> usesSchedule(other, schedule.name()));
          refuseIf(
              owner == null ? null : HookPaths.takenBy(owner, flow),
              flow,
              "the name '%s' of its schedule".formatted(schedule.name()));
        }
        case QueueTrigger queue -> {
          String name = queue.nameIn(flow.flow());
          FlowName owner =
              queues.take(Records.name(flow.tenant(), name), flow, other -> usesQueue(other, name));
          refuseIf(
              owner == null ? null : HookPaths.takenBy(owner, flow),
              flow,
              "the name '%s' of its queue".formatted(name));
        }
      }
    }
  }

  private static void refuseIf(@Nullable String problem, FlowName flow, String what) {
    if (problem != null) {
      throw Problem.notPossible("%s: %s %s. Choose another one.".formatted(flow, what, problem));
    }
  }

  private boolean usesPath(FlowName flow, Predicate<String> which) {
    return uses(
        flow, trigger -> trigger instanceof WebhookTrigger webhook && which.test(webhook.path()));
  }

  private boolean usesQueue(FlowName flow, String name) {
    return uses(
        flow,
        trigger -> trigger instanceof QueueTrigger queue && queue.nameIn(flow.flow()).equals(name));
  }

  private boolean usesSchedule(FlowName flow, String name) {
    return uses(
        flow,
        trigger -> trigger instanceof ScheduleTrigger schedule && schedule.name().equals(name));
  }

  /**
   * Checks its live release and all later ones, which may become live at any time. A retired flow
   * has given up the names of its earlier releases.
   */
  private boolean uses(FlowName flow, Predicate<Trigger> which) {
    FlowState state = book.state(flow);
    Retirement retired = state.retired();
    int first = retired == null ? state.live() : retired.newest() + 1;
    for (int number = Math.max(1, first); number <= state.newest(); number++) {
      Release release = book.find(flow, number);
      FlowFile file =
          release == null
              ? null
              : live.threads()
                  .compile(() -> Check.check(flow.flow() + ".yaml", release.text()))
                  .file();
      if (file != null && file.triggers().stream().anyMatch(which)) {
        return true;
      }
    }
    return false;
  }
}
