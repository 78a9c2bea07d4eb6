package dev.hapax.trial;

import dev.hapax.Acknowledgement;
import dev.hapax.Approvals;
import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.RunHandle;
import dev.hapax.Settlement;
import dev.hapax.Verdict;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunWait;
import dev.hapax.flow.Step;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepVisit;
import dev.hapax.json.Json;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.store.Batch;
import dev.hapax.testkit.ManualTime;
import dev.hapax.testkit.Stage;
import dev.hapax.trial.sandbox.AnswerBook;
import dev.hapax.trial.sandbox.MadeUpConnections;
import dev.hapax.trial.sandbox.RequestOrigin;
import dev.hapax.trial.sandbox.SandboxRequest;
import dev.hapax.trial.sandbox.SendWatch;
import dev.hapax.trial.sandbox.TrialSandbox;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a folder in the real engine, on a store in memory, with a clock that is moved, in a
 * process that can die, and a sandbox for everything outside. Of one thread, as its caller.
 */
public final class Trial implements AutoCloseable {
  private static final int MOST_COMMITS = 5_000;
  private static final int MOST_REQUESTS = 2_000;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration AWAKE = Duration.ofSeconds(10);
  private static final String CALLBACKS = "http://127.0.0.1:8899/api/callbacks/";
  private static final Pattern TOKEN =
      Pattern.compile(Pattern.quote(CALLBACKS) + "([A-Za-z0-9._~-]+)");

  /** Waits that a flow asks for: a case says how long they last. */
  private static final Set<RunWait.Cause> OF_FLOW =
      Set.of(RunWait.Cause.TIMER, RunWait.Cause.CALLBACK, RunWait.Cause.APPROVAL);

  private final List<FlowFolder.Entry> flows;
  private final Connections connections;
  private final Consumer<StepVisit> visits;
  private final EventDoor door;
  private final ManualTime time = new ManualTime();
  private final TrialSandbox sandbox;
  private final SendWatch sends;
  private final Stage.CommitWatch watch;
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final Stage stage;
  private volatile @Nullable String stopped;
  private volatile Map<String, LoadedFlow> loaded = Map.of();

  private Trial(Builder built) {
    this.flows = built.folder.with(built.flow);
    if (flows.isEmpty()) {
      throw new TrialStopped(
          "there is no flow '%s' without errors in the folder".formatted(built.flow));
    }
    this.visits = built.visits;
    this.door = built.door;
    this.connections =
        new MadeUpConnections(
            built.connections,
            flows.stream().map(entry -> Objects.requireNonNull(entry.checked().file())).toList());
    this.sandbox = new TrialSandbox(time, built.folder::file, built.answers);
    this.sends = built.sends;
    this.watch = built.commits;
    sandbox.onSend(new Edge());
    sandbox.inputs(this::inputOf);
    sandbox.publishers(this::publisherOf);
    this.stage = new Stage(time, sandbox, this::aroundCommit, this::register);
  }

  /** Creates a trial of one flow of the folder, with its children. */
  public static Builder of(FlowFolder folder, String flow) {
    return new Builder(folder, flow);
  }

  // ---- the process

  /** Makes the flows of a process that has just begun. */
  private void register(Hapax process) {
    FlowFiles.Builder builder =
        FlowFiles.with(time.ports())
            .connections(connections)
            .secrets(sandbox.secrets())
            .callbackUrl(CALLBACKS)
            .visits(visits)
            .wayOut(sandbox);
    handlers().forEach(name -> builder.handler(name, sandbox.handler(name)));
    FlowFiles files = builder.open(); // holds nothing that must be closed
    var made = new HashMap<String, LoadedFlow>();
    for (FlowFolder.Entry entry : flows) {
      LoadedFlow flow = files.load(entry.checked(), 1);
      made.put(flow.file().name(), flow);
    }
    made.values().forEach(flow -> files.register(process, flow));
    loaded = Map.copyOf(made);
  }

  private Stream<String> handlers() {
    return flows.stream()
        .map(entry -> Objects.requireNonNull(entry.checked().file()))
        .flatMap(file -> file.allSteps().stream())
        .flatMap(Trial::handlersOf)
        .distinct();
  }

  private static Stream<String> handlersOf(FlowStep step) {
    FlowStep.Compensate undo = step.compensate();
    return Stream.concat(
        Stream.ofNullable(step.kind().handler()),
        Stream.ofNullable(undo == null ? null : undo.kind().handler()));
  }

  private void aroundCommit(Stage on, Batch batch, Runnable commit) {
    if (commits.incrementAndGet() > MOST_COMMITS) {
      stop(on, "%,d commits".formatted(MOST_COMMITS));
      return;
    }
    watch.around(on, batch, commit);
  }

  private void stop(Stage on, String what) {
    stopped = "it did not come to rest after " + what;
    on.die();
  }

  /** Lets nothing of a dead process out, and counts. */
  private final class Edge implements SendWatch {
    @Override
    public void before(SandboxRequest request) throws IOException {
      if (requests.incrementAndGet() > MOST_REQUESTS) {
        stop(stage, "%,d requests".formatted(MOST_REQUESTS));
        throw new IOException("the process died");
      }
      sends.before(request);
      if (Stage.isInDeadProcess()) {
        throw new IOException("the process is dead");
      }
    }

    @Override
    public void after(SandboxRequest request) throws IOException {
      sends.after(request);
      if (Stage.isInDeadProcess()) {
        throw new IOException("the process died");
      }
    }
  }

  private @Nullable Object inputOf(String run) {
    try {
      return Json.read(stage.hapax().run(run).input(), Object.class);
    } catch (StoreBroken | StoreClosed | NotFound e) {
      return null; // the process has died meanwhile
    }
  }

  private RequestOrigin.@Nullable Publisher publisherOf(String message) {
    for (Run run : stage.runs()) {
      for (JournalRow row : stage.store().journal(run.number())) {
        for (JournalEntry entry : row.readEntries()) {
          Step step = publishing(entry, message);
          if (step != null) {
            return new RequestOrigin.Publisher(
                run.id().toString(), run.flow(), step.name(), step.item());
          }
        }
      }
    }
    return null; // an alert
  }

  private static @Nullable Step publishing(JournalEntry entry, String message) {
    return switch (entry) {
      case StepEntry.Published published when published.message().equals(message) ->
          published.step();
      case RunEntry.Notified notified when notified.message().equals(message) -> notified.step();
      default -> null;
    };
  }

  /** Lets the process die now; {@link #rest} begins another one. */
  public void die() {
    stage.die();
  }

  // ---- time

  public Instant now() {
    return time.now();
  }

  /** Moves time; everything that became due has happened when this returns. */
  public void move(Duration by) {
    rest();
    time.move(by);
    rest();
  }

  /**
   * Waits until only time or a caller can advance any run. Time moves by itself for retries,
   * lookups and deliveries, but not for waits of the flow. A process that dies is followed by
   * another one.
   *
   * @throws TrialStopped if that does not come to an end
   */
  public void rest() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      stage.awaitQuiet();
      if (stopped != null) {
        throw new TrialStopped(stopped);
      }
      if (stage.isDead()) {
        stage.openAgain();
        continue;
      }
      Instant next = nextTry();
      if (next == null && !stage.isAwake()) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new TrialStopped("it did not come to rest within " + PATIENCE.toSeconds() + " s");
      }
      time.move(next == null ? AWAKE : positive(Duration.between(now(), next)));
    }
  }

  private static Duration positive(Duration length) {
    return length.compareTo(SHORTEST) < 0 ? SHORTEST : length;
  }

  private @Nullable Instant nextTry() {
    try {
      return stage.runs().stream()
          .filter(run -> !run.status().isEnd() && run.dueAt() != null && !isAskedFor(run))
          .map(Run::dueAt)
          .filter(Objects::nonNull)
          .min(Instant::compareTo)
          .orElse(null);
    } catch (StoreBroken | StoreClosed e) {
      return now(); // it died between two looks
    }
  }

  /** Whether the flow itself says when the run goes on: by a wait, or by its timeout. */
  private boolean isAskedFor(Run run) {
    return Objects.equals(run.dueAt(), run.timeoutAt())
        || stage.hapax().waitsOf(run.id().toString()).stream()
            .anyMatch(
                wait ->
                    OF_FLOW.contains(wait.cause()) && Objects.equals(wait.until(), run.dueAt()));
  }

  // ---- callers

  /** Starts a run. Like a client that got no answer, it asks again if the process dies. */
  public RunHandle<Object> start(String flow, Object input, @Nullable String key) {
    return asked(() -> flowNamed(flow).start(hapax(), input, key));
  }

  /**
   * Lets something arrive at a trigger of the flow, as from a sender that has signed it, or a
   * broker.
   *
   * @return what became of it; null if the trigger's filter leaves it out
   */
  public @Nullable Acknowledgement deliver(String flow, TrialEvent arrival) {
    return this.<@Nullable Acknowledgement>asked(
        () -> door.receive(hapax(), flowNamed(flow), arrival));
  }

  private LoadedFlow flowNamed(String name) {
    LoadedFlow found = loaded.get(name);
    if (found == null) {
      throw new TrialStopped("there is no flow '%s' in this trial".formatted(name));
    }
    return found;
  }

  private <T extends @Nullable Object> T asked(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (StoreBroken | StoreClosed e) {
        if (stopped != null) {
          throw new TrialStopped(stopped);
        }
        stage.openAgain();
      }
    }
  }

  /** Answers the callback that this step waits for, at the address that the flow handed out. */
  public Callbacks.Receipt callback(String step, @Nullable Object value) {
    for (String token : tokens().reversed()) {
      Callbacks.Owner owner = asked(() -> hapax().callbacks().owner(token));
      if (owner.step().equals(step)) {
        return asked(() -> flowNamed(owner.flow()).answer(hapax(), token, value));
      }
    }
    throw new TrialStopped(
        "no request has handed out the address of callback '%s', so no system can call it"
            .formatted(step));
  }

  private List<String> tokens() {
    return sandbox.requests().stream()
        .flatMap(request -> TOKEN.matcher(request.url() + "\n" + request.body()).results())
        .map(found -> found.group(1))
        .distinct()
        .toList();
  }

  /** Decides the open approval of this step, with all of its roles. */
  public Approvals.Receipt decide(String step, Verdict verdict) {
    Approvals.Item item =
        asked(() -> hapax().approvals().list(hapax().approvals().open())).stream()
            .filter(open -> open.step().equals(step))
            .findFirst()
            .orElseThrow(
                () -> new TrialStopped("no approval of step '%s' is open".formatted(step)));
    Verdict known = verdict.roles(item.roles().toArray(String[]::new));
    return asked(() -> hapax().approvals().decide(item.id(), known));
  }

  /** Returns the effects that wait for a person. */
  public List<EffectRecord> reviews() {
    return asked(() -> hapax().effects(hapax().effects().state(EffectState.REVIEW)));
  }

  /** Settles a review like a person who looks at the destination. */
  public void settle(EffectRecord review, String by) {
    Object output = sandbox.outputOf(review.wireKey());
    asked(
        () -> {
          hapax()
              .settle(
                  review.id(),
                  sandbox.isApplied(review.wireKey())
                      ? Settlement.happened(output, "it is there", by)
                      : Settlement.notHappened("it is not there", by));
          return true;
        });
  }

  // ---- what there is

  public Hapax hapax() {
    return stage.hapax();
  }

  public TrialSandbox sandbox() {
    return sandbox;
  }

  public Stage stage() {
    return stage;
  }

  /** Returns all runs, the oldest first, also those that deliver messages. */
  public List<Run> runs() {
    return stage.runs().reversed();
  }

  /** Returns how many commits there were so far. */
  public int commits() {
    return commits.get();
  }

  public FlowFile file(String flow) {
    return flowNamed(flow).file();
  }

  @Override
  public void close() {
    stage.close();
  }

  /** What a trial may be given. */
  public static final class Builder {
    private final FlowFolder folder;
    private final String flow;
    private Connections connections = Connections.NONE;
    private AnswerBook answers = AnswerBook.USUAL;
    private Stage.CommitWatch commits = Stage.CommitWatch.NONE;
    private SendWatch sends = SendWatch.NONE;
    private Consumer<StepVisit> visits = _ -> {};
    private EventDoor door = EventDoor.CLOSED;

    private Builder(FlowFolder folder, String flow) {
      this.folder = folder;
      this.flow = flow;
    }

    /** Sets the connections that are known; others are made up. */
    public Builder connections(Connections known) {
      this.connections = known;
      return this;
    }

    public Builder answers(AnswerBook book) {
      this.answers = book;
      return this;
    }

    /** Sets what sees every commit, for example to let the process die there. */
    public Builder commits(Stage.CommitWatch other) {
      this.commits = other;
      return this;
    }

    /** Sets what sees every request at the edge of the process. */
    public Builder sends(SendWatch other) {
      this.sends = other;
      return this;
    }

    /** Sets what hears which steps ran. */
    public Builder visits(Consumer<StepVisit> listener) {
      this.visits = listener;
      return this;
    }

    /** Sets how deliveries to webhooks are received. */
    public Builder door(EventDoor other) {
      this.door = other;
      return this;
    }

    public Trial open() {
      return new Trial(this);
    }
  }
}
