package dev.hapax.engine;

import dev.hapax.effect.CopySwitch;
import dev.hapax.effect.EffectLedger;
import dev.hapax.effect.EffectUses;
import dev.hapax.effect.Failovers;
import dev.hapax.effect.LateAnswers;
import dev.hapax.effect.LeaseTerm;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.Interceptor;
import dev.hapax.json.Json;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.Gate;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Group;
import dev.hapax.store.Head;
import dev.hapax.store.Restoration;
import dev.hapax.store.Restored;
import dev.hapax.store.Store;
import dev.hapax.store.StoreBroken;
import dev.hapax.store.StoreClosed;
import dev.hapax.store.StoreUnavailable;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.NeverBack;
import dev.hapax.time.Ports;
import dev.hapax.time.ProcessGone;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes runs. The run row is the hand-over between processes: the engine takes a run that is due
 * and has no owner, replays its journal, and frees the thread when the run waits or ends. Safe for
 * many threads.
 */
public final class Engine implements Committer.Listener {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);

  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration RETRY_AFTER_ERROR = Duration.ofSeconds(5);
  private static final Duration SWEEP = Duration.ofMinutes(10);
  private static final Duration CLOCK_JITTER = Duration.ofSeconds(1);

  private final EngineParts parts;
  private final BodyRunner bodies;
  private final Clock wall;
  private final Releases releases = new Releases();
  private final RunsInMemory inMemory;
  private final FlowRates rates;
  private final DestinationLimiters destinations;
  private final RunTakeover takeover;
  private final Signal emptied;
  private volatile @Nullable ChildRuns childRuns;
  private final RetentionWork retention;
  private final EffectUses uses;
  private final LeaseTerm term;
  private final Heartbeat heartbeat;
  private final Stops stops;
  private final RestoreHold hold;
  private volatile boolean closing;
  private volatile boolean isClosed;
  private final AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();
  private final Consumer<RuntimeException> whenBroken;
  private final AtomicLong sweptAt;

  public Engine(
      Store store,
      Ports ports,
      Interceptor interceptor,
      Alerts alerts,
      int mostInMemory,
      RetentionOptions retentionOptions,
      ClusterOptions clusterOptions,
      Consumer<RuntimeException> whenBroken) {
    this.whenBroken = whenBroken;
    this.inMemory = new RunsInMemory(mostInMemory);
    this.hold = new RestoreHold(store);
    Instant newestAt = store.newestAt();
    this.wall = ports.clock();
    // Numbers begin a millisecond after the newest time, and everything that is written has at
    // least that time. Otherwise an engine that is opened within the same millisecond would begin
    // with the same numbers.
    Clock clock = new NeverBack(wall, newestAt.plusMillis(1));
    var ids = new IdSource(clock, newestAt, store.mark());
    Threads threads = ports.threads();
    var guard = new ThreadGuard(threads, this::broken);
    var timer = new Timer(store, clock, threads, this::wake, guard);
    var committer = new Committer(store, threads, clock, this);
    this.uses = new EffectUses(committer, clock, ids);
    this.rates = new FlowRates(clock, threads);
    this.destinations = new DestinationLimiters("destination", clock, threads, this::wake);
    this.term = new LeaseTerm(wall, threads);
    var failovers = new Failovers(store, clusterOptions.failoversLoseNothing());
    this.parts =
        new EngineParts(
            store,
            committer,
            new EffectLedger(
                store,
                ports,
                clock,
                ids,
                interceptor,
                uses,
                new LateAnswers(committer, clock, ids),
                destinations,
                term,
                failovers,
                new CopySwitch(store, clusterOptions.sendsInCopy()),
                timesKnownAfter(wall, newestAt)),
            failovers,
            new LargeValues(store, committer, clock, ids, this::waitForStore),
            interceptor,
            timer,
            timer.delayedFlush(),
            new Endings(threads),
            clock,
            ids,
            ports.random(),
            threads,
            new Tokens(store, ports.random()),
            () -> closing,
            this::newChild,
            this::hearCancel,
            alerts,
            new Journals(store),
            guard,
            ports.random().nextLong() & Long.MAX_VALUE);
    this.bodies = new FlowBody(parts);
    this.stops = new Stops(parts, inMemory);
    this.heartbeat = new Heartbeat(parts, term, clusterOptions.lease(), new Here());
    this.takeover = new RunTakeover(parts, this::codeOf, rates, heartbeat::isShared, this::wake);
    this.emptied = threads.signal();
    this.sweptAt = new AtomicLong(clock.nanos());
    this.retention = new RetentionWork(parts, retentionOptions);
  }

  /** A clock behind the store was set back, so the time without a process is unknown. */
  private static Instant timesKnownAfter(Clock wall, Instant newestAt) {
    if (!wall.now().isBefore(newestAt.minus(CLOCK_JITTER))) {
      return Instant.MIN;
    }
    log.warn(
        "the clock is behind the newest time in the store, {}: it was set back. Keyed doubts from"
            + " before are looked up or reviewed, not sent again",
        newestAt);
    return newestAt;
  }

  /**
   * Takes up the runs that an earlier process left, and those that have become due since. If the
   * store was restored, takes up nothing until a person has said what the store is.
   */
  public void start() {
    heartbeat.start();
    if (!hold.holds()) {
      parts.timer().start();
      retention.start();
    }
  }

  /** Holds the engine until a person has said what a restored store is. */
  public RestoreHold hold() {
    return hold;
  }

  /** The restored store, if it waits for a person; null if it does not. */
  public @Nullable Restored restored() {
    return hold.restored();
  }

  /** Records what a person says the restored store is, and lets everything go on. */
  public void restore(Restoration as) {
    refuseIfEnded();
    if (hold.restored() == null) {
      throw new IllegalStateException(
          "the store has not noticed that it was restored, and its runs are under way. Stop this"
              + " process, then run 'hapax restore' on its data folder");
    }
    parts.store().restore(as, parts.random().nextLong() & Long.MAX_VALUE, parts.clock().now());
    goOnIfRestored();
  }

  /** Continues after this node or another one has ended the hold. */
  private void goOnIfRestored() {
    if (hold.end()) {
      log.info("the restored store goes on");
      parts.timer().start();
      retention.start();
      heartbeat.startAgain();
      hold.goOn();
    }
  }

  /** Receives what the heartbeat learns about other nodes. */
  private final class Here implements Heartbeat.Node {
    @Override
    public boolean isBroken() {
      return broken.get() != null;
    }

    @Override
    public int room() {
      return closing || hold.holds() ? 0 : inMemory.room();
    }

    @Override
    public void attended() {
      goOnIfRestored();
    }

    @Override
    public boolean isHere(long run) {
      return inMemory.isTaken(run);
    }

    @Override
    public void wake(long run) {
      takeover.isOurs(run); // though its code was not here a moment ago
      Engine.this.wake(run);
    }

    @Override
    public void stop(long run) {
      stops.askIfWished(run);
    }

    @Override
    public void shares(int nodes, long from) {
      destinations.share(nodes, from);
      rates.share(nodes, from);
    }

    /** A node without room leaves due runs to other nodes. */
    @Override
    public void due(Instant at) {
      if (!closing && !hold.holds() && !inMemory.isFull()) {
        parts.timer().heard(at);
      }
    }
  }

  /** Whether other nodes can use the store. */
  public boolean isShared() {
    return heartbeat.isShared();
  }

  /** Effects of this flow are kept for this long, because its triggers may be delivered again. */
  public void redelivered(Flow<?, ?> flow, Duration window) {
    uses.redelivered(flow.name(), window);
  }

  /** Sets the admission of runs that other runs start; to be called before anything starts. */
  public void startChildrenBy(ChildRuns admission) {
    childRuns = admission;
  }

  private <I> NewRun newChild(ChildRuns.Request<I> request) {
    return Objects.requireNonNull(childRuns, "nobody admits child runs").newRun(request);
  }

  /** Whether runs of this tenant find this very code. */
  public boolean isRegistered(String tenant, Flow<?, ?> flow) {
    return flow.equals(
        releases.registered(new Releases.Release(tenant, flow.name(), flow.release())));
  }

  public Endings endings() {
    return parts.endings();
  }

  public Alerts alerts() {
    return parts.alerts();
  }

  /** Time that never goes back; waits of runs use it. */
  public Clock clock() {
    return parts.clock();
  }

  /** The time of the machine's clock, also after it was set back. */
  public Instant wall() {
    return Instant.ofEpochMilli(wall.now().toEpochMilli());
  }

  Tokens tokens() {
    return parts.tokens();
  }

  public IdSource ids() {
    return parts.ids();
  }

  /** The limiters in which effects wait for their turn. */
  public DestinationLimiters destinations() {
    return destinations;
  }

  public LargeValues values() {
    return parts.values();
  }

  public Committer committer() {
    return parts.committer();
  }

  /**
   * How long a run of this release may take by its code; null if the code sets no limit or is not
   * here.
   */
  @Nullable Duration timeoutOf(Run run) {
    Flow<?, ?> code = codeOf(Releases.Release.of(run));
    return code == null ? null : code.timeout();
  }

  /** The gate that a run passes with this input; null if there is none, or its code is not here. */
  @Nullable Gate gateOf(Run run, String input) {
    Flow<?, ?> code = codeOf(Releases.Release.of(run));
    return code == null ? null : gateOf(code, input);
  }

  private static <I> @Nullable Gate gateOf(Flow<I, ?> flow, String input) {
    return flow.concurrency() == null ? null : Gate.of(flow, Json.read(input, flow.input()));
  }

  /**
   * Registers the code of a release; runs that waited for it go on.
   *
   * @param tenant whose flow it is; null for all tenants that have no such flow themselves
   */
  public void register(@Nullable String tenant, Flow<?, ?> flow) {
    var release = new Releases.Release(tenant, flow.name(), flow.release());
    releases.register(release, flow);
    rates.register(tenant, flow);
    codeIsThere(release::serves);
    retention.register(flow);
  }

  private void codeIsThere(Predicate<Releases.Release> which) {
    takeover.waitedFor(which).forEach(this::wake);
    if (heartbeat.isShared()) {
      parts.timer().lookAtAll();
    }
  }

  /** Sets the source for code that is not registered; runs that wait for it go on. */
  public void codeFrom(FlowSource source) {
    releases.source(source);
    codeIsThere(_ -> true);
  }

  private @Nullable Flow<?, ?> codeOf(Releases.Release release) {
    Flow<?, ?> known = releases.registered(release);
    Flow<?, ?> found = known != null ? known : releases.fromSource(release);
    if (found != null && known == null) {
      register(release.tenant(), found);
    }
    return found;
  }

  /**
   * Starts a run that is not durable yet; its first commit inserts it, together with its first
   * intent if there is one.
   */
  public PendingStart begin(Flow<?, ?> flow, NewRun run) {
    refuseIfClosed();
    var pendingStart =
        new PendingStart(
            parts.threads().signal(), parts.endings().expect(run.number()), run.flow());
    boolean isFull = inMemory.isFull();
    DestinationLimiter.Entry.Later turn = isFull ? null : rates.turnOf(run);
    if (turn != null) {
      takeover.accept(run, turn, pendingStart);
      return pendingStart;
    }
    RunsInMemory.Place place = isFull ? null : inMemory.take(run.number());
    if (place == null) {
      queue(run, pendingStart);
      return pendingStart;
    }
    carry(run.number(), place, () -> begin(flow, run, pendingStart, place));
    return pendingStart;
  }

  /** An Error here, or in the run's own code, must not leave a run with an owner but no thread. */
  @SuppressWarnings("CatchingThrowable")
  private void begin(
      Flow<?, ?> flow, NewRun run, PendingStart pendingStart, RunsInMemory.Place place) {
    Runnable leave =
        () -> {
          pendingStart.failed(new IllegalStateException("the run ended before it began"));
          standUp(run.number(), place);
        };
    try {
      var pass = new RunPass(parts, bodies, flow, run, pendingStart);
      sit(pass, place, leave);
      execute(pass);
    } catch (Throwable e) {
      tryAgain(run.number(), e);
    } finally {
      place.unlessGivenUp(leave);
    }
  }

  private void sit(RunPass pass, RunsInMemory.Place place, Runnable leave) {
    pass.exit().then(() -> standUp(pass.number(), place));
    pass.whenLeftBehind(
        () -> {
          isOver(pass);
          leave.run();
        });
    place.sit(pass);
  }

  /** A place without a thread would prevent its run from ever being taken up. */
  private void carry(long run, RunsInMemory.Place place, Runnable work) {
    try {
      place.carriedBy(parts.threads().virtual("hapax-run", work));
    } catch (RuntimeException | Error e) {
      inMemory.leave(run, place);
      throw e;
    }
  }

  /** There is no room: makes the run durable without an owner, to be taken up later. */
  private void queue(NewRun run, PendingStart pendingStart) {
    var head = new Head.Insert(run, null);
    var group = new Group(parts.ids().next(), parts.clock().now(), head, List.of(), null);
    parts.committer().submit(group, pendingStart.then(_ -> wake(run.number())));
  }

  /** Takes a run up if it is not in memory; if it is, looks at it again after it has left. */
  public void wake(long run) {
    if (closing || hold.holds() || takeover.isLeftToOthers(run)) {
      return;
    }
    if (inMemory.isFull()) {
      inMemory.waitForRoom(run);
      wakeWaiting(); // the last one may have left between the two lines above
      return;
    }
    RunsInMemory.Place place = inMemory.take(run);
    if (place != null) {
      carry(run, place, () -> takeUp(run, place));
    }
  }

  @SuppressWarnings("CatchingThrowable")
  private void takeUp(long run, RunsInMemory.Place place) {
    Runnable leave = () -> standUp(run, place);
    try {
      RunTakeover.Taken taken = takeover.take(run);
      if (taken != null) {
        var pass = new RunPass(parts, bodies, taken.flow(), taken.run());
        sit(pass, place, leave);
        execute(pass);
      }
    } catch (Throwable e) {
      tryAgain(run, e);
    } finally {
      place.unlessGivenUp(leave);
    }
  }

  /** An engine that cannot even schedule another try is closed. */
  @SuppressWarnings("CatchingThrowable")
  private void tryAgain(long run, Throwable why) {
    if (why instanceof ProcessGone gone) {
      throw gone;
    }
    try {
      tryAgainLater(run, why);
    } catch (ProcessGone gone) {
      throw gone;
    } catch (Throwable worse) {
      broken(new StoreBroken("run %d could not be handed back: %s".formatted(run, worse), worse));
    }
  }

  /** The engine failed while it carried the run: the run continues from its journal. */
  private void tryAgainLater(long run, Throwable why) {
    switch (why) {
      case StoreBroken broke -> broken(broke);
      case StoreClosed _ -> log.debug("run {} stays where it is: {}", run, why.getMessage());
      case StoreUnavailable _ -> {
        log.warn("run {} is taken up again soon: {}", run, why.getMessage());
        later(RETRY, () -> wake(run));
      }
      default -> {
        if (!closing) {
          log.error("run {} could not go on; it stays as it is and is tried again", run, why);
          later(RETRY_AFTER_ERROR, () -> wake(run));
        }
      }
    }
  }

  private void execute(RunPass pass) {
    Instant until = pass.timeoutAt();
    if (pass.isStopRequested()) {
      stops.abandonLater(pass);
    } else if (until != null) {
      parts.timer().alarm(until, pass.number(), () -> stops.timeOut(pass));
    }
    parts.interceptor().stay(pass.stay(false), pass::pass);
    isOver(pass);
  }

  private void isOver(RunPass pass) {
    Instant until = pass.timeoutAt();
    if (until != null) {
      parts.timer().cancelAlarm(until, pass.number());
    }
    if (pass.isToBeTakenUpAgain()) {
      // The run may still be ours although others seem to have written to it: a standby that took
      // over may lack what this pass wrote.
      later(RETRY, () -> wake(pass.number()));
    }
  }

  private void standUp(long run, RunsInMemory.Place place) {
    if (!inMemory.leave(run, place)) {
      return; // its pass was over before its thread
    }
    if (closing && inMemory.size() == 0) {
      emptied.raise();
    }
    if (place.wasWokenMeanwhile()) {
      wake(run);
    }
    wakeWaiting();
    sweepFromTimeToTime();
  }

  /**
   * Finds runs that belong to this node and have no thread, for any reason. Looks only when another
   * run leaves, so that an idle engine stays silent.
   */
  private void sweepFromTimeToTime() {
    long last = sweptAt.get();
    long now = parts.clock().nanos();
    if (now - last > SWEEP.toNanos() && !closing && sweptAt.compareAndSet(last, now)) {
      parts.guard().virtual("hapax-sweep", heartbeat::sweep);
    }
  }

  private void wakeWaiting() {
    for (Long next; (next = inMemory.next()) != null; ) {
      wake(next);
    }
  }

  /** Does something after about this delay if this process still lives. */
  public void later(Duration delay, Runnable what) {
    at(parts.clock().now().plus(delay), what);
  }

  /** Does something at this time if this process still lives, or at once if it has passed. */
  public void at(Instant time, Runnable what) {
    parts.timer().alarm(time, parts.ids().next(), what);
  }

  /** Does something beside the runs, on its own thread. */
  public void inBackground(String name, Runnable what) {
    parts.guard().virtual(name, what);
  }

  /** Stops a run in this node's memory if it is to be canceled; reads. */
  void hearCancel(long run) {
    stops.askIfWished(run);
  }

  /** Lets a run in memory write this itself; false if it is not in memory, or is leaving it. */
  boolean writeInMemory(long run, JournalEntry entry, Change... changes) {
    RunPass pass = inMemory.pass(run);
    return pass != null && pass.writeBeside(entry, changes);
  }

  /** Whether this run is in no memory and yet not free, so that nothing can be written to it. */
  boolean waitsForCode(Run run) {
    return run.owner() != null && takeover.waitsForCode(run);
  }

  /** Whether the run cannot go on because the code of its release is not registered. */
  public boolean isCodeMissing(Run run) {
    return takeover.missing().holdsUp(run) && isUnregistered(Releases.Release.of(run));
  }

  /** Asks no source, because a source may read; it was asked when a run of the release was due. */
  private boolean isUnregistered(Releases.Release release) {
    return releases.registered(release) == null
        && (!releases.hasSource() || takeover.missing().knows(release));
  }

  /** Whether the store may have lost the run of an event that happened at this time. */
  public boolean mayHaveLost(Instant occurredAt) {
    return parts.failovers().mayHaveLost(occurredAt);
  }

  /** False if the engine is closing and waits no longer. */
  private boolean waitForStore() {
    if (closing) {
      return false;
    }
    parts.threads().signal().await(RETRY);
    return true;
  }

  Settling settling() {
    return new Settling(parts);
  }

  @Override
  public void woken(List<Long> runs) {
    runs.forEach(this::wake);
  }

  /** Uses its own thread, because it reads. */
  @Override
  public void displaced(List<Long> runs) {
    parts.guard().virtual("hapax-displaced", () -> runs.forEach(stops::askIfWished));
  }

  @Override
  public void wakeUpsMayBeMissing() {
    parts.timer().lookAtAll();
  }

  /** The first cause counts. An engine that was closed normally before is just closed. */
  @Override
  @SuppressWarnings("CatchingThrowable") // of the listener, which is not ours
  public void broken(RuntimeException cause) {
    if (isClosed || !broken.compareAndSet(null, cause)) {
      return;
    }
    closing = true;
    term.lost(cause);
    parts.endings().close(cause);
    log.error("the engine is closed, because it can no longer work; open the store again", cause);
    try {
      whenBroken.accept(cause);
    } catch (Throwable e) {
      log.error("who was to hear that the engine broke has failed", e);
    }
  }

  public boolean isOpen() {
    return broken.get() == null && !closing;
  }

  /** Refuses also while a restored store waits for a person. */
  public void refuseIfClosed() {
    refuseIfEnded();
    hold.refuse();
  }

  /** Does not refuse while the engine is only held. */
  public void refuseIfEnded() {
    RuntimeException cause = broken.get();
    if (cause != null) {
      throw new StoreBroken(
          "the store broke and the engine is closed; open it again: " + cause.getMessage(), cause);
    }
    if (closing) {
      throw new StoreClosed();
    }
  }

  /**
   * Closes the engine. Runs in memory are written out at their next step, so that nothing is left
   * in doubt. A run that reaches no step in time continues from its journal when the store is
   * opened again.
   */
  public void close(Duration atMost) {
    closing = true;
    retention.close();
    if (broken.get() == null && inMemory.size() > 0 && !emptied.await(atMost)) {
      log.warn(
          "{} runs did not come to their next step within {}; they go on from their journals",
          inMemory.size(),
          atMost);
    }
    isClosed = true;
    heartbeat.close();
    if (!hold.holds()) {
      parts.timer().close();
    }
    parts.committer().close();
    parts.endings().close(new StoreClosed());
    parts.ledger().close();
    if (broken.get() == null && heartbeat.isShared() && parts.ledger().areAttemptsUnderWay()) {
      parts.threads().platform("hapax-lease", this::keepLease);
    } else {
      parts.store().close();
    }
  }

  /**
   * A request that was sent may still arrive. Until the code that sends it has returned, no other
   * node may take over its run and send it again.
   */
  private void keepLease() {
    log.info("code of effects has not returned; this node keeps its lease until it has");
    heartbeat.keepLeaseWhile(parts.ledger()::awaitReturn);
    parts.store().close();
  }
}
