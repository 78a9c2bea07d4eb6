package dev.hapax.app.release;

import dev.hapax.Kv;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.FlowLimit;
import dev.hapax.app.http.Problem;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.json.Text;
import dev.hapax.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Flow files that belong together, as of a deployment: each is released by itself, which touches no
 * run, and all become live in one commit. Safe for many threads and nodes.
 */
public final class FlowBatch {
  private static final int LONGEST_FILE_NAME = 300;

  private final Releases releases;
  private final ReleaseBook book;
  private final LiveFlows live;
  private final Clock clock;

  public FlowBatch(Releases releases, Clock clock) {
    this.releases = releases;
    this.book = releases.book();
    this.live = releases.live();
    this.clock = clock;
  }

  /**
   * A flow file as it was sent.
   *
   * @param file its name, for findings
   */
  public record Source(@Nullable String file, @Nullable String text) {}

  /**
   * A flow file that can be released, beside the flow as it is now.
   *
   * @param hash of its text
   * @param live the number of the live release; 0 if there is none
   * @param liveHash of the text of the live release; null if there is none
   * @param openDraft a draft with other text than this file and the last releases; null if none
   */
  public record Wanted(
      FlowName flow,
      String text,
      String hash,
      FlowFile content,
      List<Finding> warnings,
      int live,
      @Nullable String liveHash,
      @Nullable Draft openDraft) {
    public boolean isChange() {
      return !hash.equals(liveHash);
    }
  }

  /** Reads the files; refuses errors of all of them at once, and two files of one flow. */
  public List<Wanted> read(String tenant, List<Source> sources) {
    var errors = new ArrayList<Finding>();
    var wanted = new TreeMap<String, Wanted>();
    var files = new TreeMap<String, String>();
    for (Source source : sources) {
      String text = source == null ? null : source.text();
      if (source == null || text == null) {
        throw Problem.invalidInput("flows: expected a text in each, got none");
      }
      String name = source.file() == null ? "flow.yaml" : source.file();
      String shown = Text.cut(Text.storable(name), LONGEST_FILE_NAME);
      Check.Result checked = live.threads().check(tenant, text, () -> Check.check(shown, text));
      FlowFile file = checked.file();
      if (file == null || checked.hasErrors()) {
        errors.addAll(checked.findings());
        continue;
      }
      String other = files.put(file.name(), shown);
      if (other != null) {
        throw Problem.invalidInput(
            "flow '%s' is in two files, %s and %s. Keep one of them."
                .formatted(file.name(), other, shown));
      }
      wanted.put(
          file.name(), wanted(new FlowName(tenant, file.name()), text, file, checked.findings()));
    }
    if (!errors.isEmpty()) {
      throw Problem.findings(
          "the files have errors; nothing was changed",
          errors.stream().map(Finding::json).toList());
    }
    return List.copyOf(wanted.values());
  }

  private Wanted wanted(FlowName flow, String text, FlowFile file, List<Finding> findings) {
    String hash = Release.hashOf(text);
    FlowState state = book.state(flow);
    String liveHash = hashOf(flow, state.live());
    Stored<Draft> draft = book.draft(flow);
    boolean isOpen = draft != null && isOpen(draft.value(), flow, state, hash);
    return new Wanted(
        flow,
        text,
        hash,
        file,
        findings,
        state.live(),
        liveHash,
        isOpen ? Objects.requireNonNull(draft).value() : null);
  }

  /** Whether a draft is work that is in no release and not in the file: it must not be lost. */
  private boolean isOpen(Draft draft, FlowName flow, FlowState state, String hash) {
    String text = Release.hashOf(draft.text());
    return !text.equals(hash)
        && !text.equals(hashOf(flow, state.live()))
        && !text.equals(hashOf(flow, state.newest()));
  }

  private @Nullable String hashOf(FlowName flow, int number) {
    Release release = number == 0 ? null : book.find(flow, number);
    return release == null ? null : release.hash();
  }

  /** Refuses a flow that is not among the flows of the caller's token. */
  public void refuseOthers(Wanted wanted, Actor author) {
    FlowName flow = wanted.flow();
    FlowLimit limit = author.flows();
    releases.refuseJavaName(flow, author);
    if (limit.labels().isEmpty() && !limit.allowsName(flow.flow())) {
      throw LabelRule.noSuchFlow(flow, limit);
    }
    releases.refuseForeignChildren(flow, wanted.content(), limit);
    Stored<Draft> draft = book.draft(flow);
    releases.refuseForeignLabels(
        flow, draft == null ? null : draft.value(), wanted.content(), limit);
  }

  /** Refuses what the token's scopes do not allow to release. */
  public void refuseBeyondScopes(Wanted wanted, Actor author) {
    FlowRoutes.refuseUnlessAllowed(author, wanted.content());
  }

  /** Returns what a flow needs and will not be here, see {@link LiveFlows#missing}. */
  public List<Finding> missing(
      Wanted wanted, Connections soon, UnaryOperator<Predicate<String>> flowsSoon) {
    FlowName flow = wanted.flow();
    return live.missing(
        flow, wanted.content(), releases.signingSecretsOf(flow.tenant()), soon, flowsSoon);
  }

  /** Returns how many runs of a flow have not ended, by release. */
  public List<OpenRuns> openRuns(FlowName flow) {
    return OpenRuns.of(live.openRuns(flow, OpenRuns.MOST_COUNTED));
  }

  /**
   * Returns an error for each live flow that starts one of those which are to be retired.
   *
   * @param counts whether a live flow is looked at
   * @param mayUse whether the caller may see a flow
   */
  public List<Finding> starters(
      String tenant, Set<String> retiring, Predicate<String> counts, Predicate<String> mayUse) {
    return releases.retirements().starters(tenant, retiring, counts, mayUse);
  }

  /** Returns the state of every flow of a tenant that has a live release. */
  public List<FlowState> liveFlows(String tenant) {
    return releases.allOf(tenant).filter(state -> state.live() != 0).toList();
  }

  /** Returns whether something can start a flow of this name now. */
  public boolean canStart(String tenant, String flow) {
    return releases.isInJava(flow) || book.state(new FlowName(tenant, flow)).live() != 0;
  }

  /** Returns the state of a flow. */
  public FlowState state(FlowName flow) {
    return book.state(flow);
  }

  /** Returns the text of a release; null if there is none. */
  public @Nullable String textOf(FlowName flow, int number) {
    Release release = book.find(flow, number);
    return release == null ? null : release.text();
  }

  /**
   * Makes the release of a file and returns its number. Repeated, it returns the same one. The
   * draft becomes the file, unless that would lose a draft that was never released.
   */
  public int release(Wanted wanted, @Nullable String note, Actor author) {
    FlowName flow = wanted.flow();
    if (wanted.openDraft() == null) {
      draft(wanted, author);
    }
    releases.claim(flow, wanted.content());
    Release made =
        book.release(
            flow,
            wanted.hash(),
            number -> Release.made(number, wanted.text(), note, author.name(), clock.now()));
    live.changed(flow);
    return made.number();
  }

  private void draft(Wanted wanted, Actor author) {
    FlowName flow = wanted.flow();
    Stored<Draft> standing = book.draft(flow);
    if (standing != null && Release.hashOf(standing.value().text()).equals(wanted.hash())) {
      return;
    }
    List<String> labels = wanted.content().labels();
    var _ = // a draft that was written meanwhile stays
        book.putDraft(
            flow,
            new Draft(wanted.text(), author.name(), clock.now(), labels),
            standing == null ? 0 : standing.version(),
            now -> releases.refuseForeignLabels(flow, now, wanted.content(), author.flows()));
    releases.labels().changed(flow);
  }

  /**
   * Returns the write that makes a release live; null if another one has become live since the file
   * was read. Refuses a release that must not be live.
   */
  public Kv.@Nullable Replacement promotion(Wanted wanted, int number, Actor author) {
    FlowName flow = wanted.flow();
    LoadedFlow next = releases.compiled(flow, number);
    releases.refuseUnfit(flow, next);
    releases.claim(flow, next.file());
    Stored<FlowState> standing = book.stored(flow);
    if (standing == null || standing.value().live() != wanted.live()) {
      return null;
    }
    Stored<Draft> draft = book.draft(flow);
    LabelRule.refuseOtherLabels(
        flow,
        FlowLabels.counting(standing.value(), draft == null ? null : draft.value()),
        next.file().labels(),
        author.flows());
    return book.replacement(
        standing,
        standing.value().promoted(number, clock.now(), author.name(), next.file().labels()));
  }

  /** Returns the write that retires a flow; null if another release is live than was seen. */
  public Kv.@Nullable Replacement retirement(FlowState seen, Actor author) {
    Stored<FlowState> standing = book.stored(seen.name());
    return standing == null || standing.value().live() != seen.live()
        ? null
        : book.replacement(standing, standing.value().retired(clock.now(), author.name()));
  }

  /** Makes the commit of promotions; this node sees all of them at once. */
  public boolean commit(Collection<FlowName> flows, Supplier<Boolean> commit) {
    return live.whileMoving(flows, commit);
  }

  /**
   * Starts the schedules of live releases and ends those of retired flows, also if an earlier call
   * did not get that far.
   */
  public void changed(Collection<FlowName> flows) {
    for (FlowName flow : flows) {
      live.changed(flow);
      releases.labels().changed(flow);
      releases.tell(flow);
    }
  }
}
