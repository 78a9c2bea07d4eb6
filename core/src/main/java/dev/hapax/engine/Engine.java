package dev.hapax.engine;

import dev.hapax.admission.DuplicateCounter;
import dev.hapax.admission.RunAdmission;
import dev.hapax.effect.CopySwitch;
import dev.hapax.effect.EffectLedger;
import dev.hapax.effect.EffectUses;
import dev.hapax.effect.Failovers;
import dev.hapax.effect.LateAnswer;
import dev.hapax.effect.LateAnswers;
import dev.hapax.effect.LeaseTerm;
import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.parts.Alerts;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.parts.ThreadGuard;
import dev.hapax.engine.parts.Timer;
import dev.hapax.engine.parts.Tokens;
import dev.hapax.engine.pass.RunPass;
import dev.hapax.engine.replay.Journals;
import dev.hapax.engine.start.RunStarts;
import dev.hapax.engine.writing.Endings;
import dev.hapax.engine.writing.PendingStart;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Run;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.flow.TenantLimits;
import dev.hapax.flow.TenantLoad;
import dev.hapax.flow.TokenKeys;
import dev.hapax.limit.DestinationLimiters;
import dev.hapax.limit.TenantCalls;
import dev.hapax.limit.ValueMemory;
import dev.hapax.resource.LargeValues;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Committer;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import dev.hapax.time.NeverBack;
import dev.hapax.time.Ports;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
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

  private final EngineParts parts;
  private final Clock wall;
  private final FlowRegistry flows;
  private final RunsInMemory inMemory;
  private final FlowRates rates;
  private final DestinationLimiters destinations;
  private final TenantCalls calls;
  private final WaitingForCode waiting;
  private final MissingCode missing;
  private final RunExecutor executor;
  private final RunAdmission admission;
  private final RetentionWork retention;
  private final EffectUses uses;
  private final LeaseTerm term;
  private final Heartbeat heartbeat;
  private final Stops stops;
  private final LateEvidence lateEvidence;
  private final Quarantine quarantine;
  private final LeaseAlert leaseAlert;
  private final Suspects suspects;
  private final RestoreHold hold;
  private final TenantGate gate;
  private final EngineStatus status = new EngineStatus();
  private final Breakdown breakdown;

  /**
   * @param flows where the code of runs is found
   */
  public Engine(
      Store store,
      FlowRegistry flows,
      Ports ports,
      Interceptor interceptor,
      Alerts alerts,
      int mostInMemory,
      ValueMemory memory,
      RetentionOptions retentionOptions,
      ClusterOptions clusterOptions,
      TokenKeys tokenKeys,
      TenantLimits tenantLimits,
      Consumer<RuntimeException> whenBroken) {
    var here = new Here();
    this.flows = flows;
    this.inMemory = new RunsInMemory(mostInMemory, memory);
    this.hold = new RestoreHold(store);
    this.gate =
        new TenantGate(
            tenantLimits, status::isClosing, this::wake, this::wakeUpsMayBeMissing, this::later);
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
    this.calls = new TenantCalls(tenantLimits, clock, threads, this::wake);
    this.term = new LeaseTerm(wall, threads);
    this.admission = new RunAdmission(store, clock, ids, ports.random());
    var duplicates =
        new DuplicateCounter(
            store,
            committer,
            clock,
            ids,
            what -> later(Duration.ofSeconds(1), () -> guard.virtual("hapax-duplicates", what)));
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
                new LateAnswers(committer, clock, ids, this::hearLate),
                destinations,
                calls,
                term,
                failovers,
                new CopySwitch(store, clusterOptions.sendsInCopy()),
                ClockCheck.timesKnownAfter(wall, newestAt)),
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
            new Tokens(tokenKeys),
            gate,
            new RunStarts(here, flows, admission, duplicates, tenantLimits, committer, clock, ids),
            this::hearCancel,
            alerts,
            new Journals(store),
            memory,
            guard,
            ports.random().nextLong() & Long.MAX_VALUE);
    this.breakdown = new Breakdown(term, parts.endings(), whenBroken);
    this.stops = new Stops(parts, inMemory);
    this.lateEvidence = new LateEvidence(parts, flows, inMemory);
    this.heartbeat = new Heartbeat(parts, term, clusterOptions.lease(), here);
    this.retention = new RetentionWork(parts, retentionOptions);
    this.waiting = new WaitingForCode(clock, heartbeat::isShared);
    this.missing =
        new MissingCode(
            parts, heartbeat::isShared, release -> waiting.toLookAt(release).forEach(this::wake));
    var takeover =
        new RunTakeover(parts, flows, rates, heartbeat::isShared, waiting, missing, gate);
    var notes = new SuspectNotes(parts);
    this.leaseAlert = new LeaseAlert(parts);
    this.quarantine = new Quarantine(parts, flows, notes);
    this.suspects = new Suspects(parts, notes, quarantine, inMemory::isTaken, this::wake);
    this.executor = new RunExecutor(parts, inMemory, rates, takeover, suspects, stops, gate, here);
    flows.listener(
        new CodeArrivals(rates, retention, missing, waiting, this::wake, this::lookForOthers));
  }

  private void lookForOthers() {
    if (heartbeat.isShared()) {
      parts.timer().lookAtAll();
    }
  }

  /**
   * Takes up the runs that an earlier process left, and those that have become due since. If the
   * store was restored, takes up nothing until a person has said what the store is.
   *
   * @param first what must be done before any run continues
   */
  public void start(Runnable first) {
    heartbeat.start();
    first.run();
    if (!hold.holds()) {
      parts.timer().start();
      retention.start();
      suspects.begin();
    }
  }

  /** Holds the engine until a person has said what a restored store is. */
  public RestoreHold hold() {
    return hold;
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
      log.info("the restored store is in use again: its runs continue");
      parts.timer().start();
      retention.start();
      heartbeat.startAgain();
      suspects.begin();
      hold.goOn();
    }
  }

  /** This node, as its parts see it. */
  private final class Here implements Heartbeat.Node, RunExecutor.Node, RunStarts.Node {
    @Override
    public boolean isBroken() {
      return status.isBroken();
    }

    @Override
    public void refuseIfClosed() {
      Engine.this.refuseIfClosed();
    }

    @Override
    public PendingStart begin(Flow<?, ?> flow, NewRun run) {
      Engine.this.refuseIfClosed();
      return executor.begin(flow, run);
    }

    @Override
    public boolean mayTakeUp(long run) {
      return !status.isClosing()
          && !hold.holds()
          && !waiting.isLeftToOthers(run)
          && !gate.waits(run);
    }

    @Override
    public void broken(RuntimeException cause) {
      Engine.this.broken(cause);
    }

    @Override
    public void sweep() {
      heartbeat.sweep();
    }

    @Override
    public int room() {
      return status.isClosing() || hold.holds() ? 0 : inMemory.room();
    }

    @Override
    public void reported() {
      goOnIfRestored();
    }

    @Override
    public boolean isHere(long run) {
      return inMemory.isTaken(run);
    }

    @Override
    public void wake(long run) {
      waiting.isOurs(run); // though its code was not here a moment ago
      Engine.this.wake(run);
    }

    @Override
    public void adopted(List<Long> runs, boolean isWhole, boolean isRecall) {
      runs.forEach(waiting::isOurs); // though their code was not here a moment ago
      suspects.adopted(runs, isWhole, isRecall);
      if (!runs.isEmpty() && !isRecall) {
        leaseAlert.adopted(runs.size());
      }
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
      if (!status.isClosing() && !hold.holds() && !inMemory.isFull()) {
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

  /** Whether the work of this tenant is held back. */
  public boolean holds(String tenant) {
    return gate.holds(tenant);
  }

  /** Whether the run waits because its tenant has as many runs in memory as it may have. */
  public boolean waitsForQuota(long run) {
    return gate.waits(run);
  }

  /** Whether another run could begin at once; else runs are made durable and wait. */
  public boolean hasRoom() {
    return inMemory.hasRoom();
  }

  /** What this tenant uses of this node. */
  public TenantLoad load(String tenant) {
    return new TenantLoad(gate.inMemory(tenant), calls.underWay(tenant));
  }

  /** The code of flows. */
  public FlowRegistry flows() {
    return flows;
  }

  /** Counts a duplicate on the run that it met. */
  public void stopped(long run, Door door, String caller) {
    parts.starts().stopped(run, door, caller);
  }

  public Threads threads() {
    return parts.threads();
  }

  /** The one way in for new runs. */
  public RunStarts starts() {
    return parts.starts();
  }

  /** Decides about keys; for what is not a start. */
  public RunAdmission admission() {
    return admission;
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

  public Tokens tokens() {
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

  /** Takes a run up if it is not in memory; if it is, looks at it again after it has left. */
  public void wake(long run) {
    executor.wake(run);
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

  /** Records that a person has decided though an attempt of this effect had just succeeded. */
  public void hearLate(EffectRecord effect) {
    hearLate(new LateAnswer(effect.run(), effect.number(), effect.step(), effect.revision(), null));
  }

  private void hearLate(LateAnswer answer) {
    lateEvidence.hear(answer);
  }

  /** Whether an attempt at this revision, made by this process, has reported success. */
  public boolean isAnswered(EffectRecord row) {
    return parts.ledger().isAnswered(row.number(), row.revision());
  }

  /** Stops a run in this node's memory if it is to be canceled; reads. */
  public void hearCancel(long run) {
    stops.askIfWished(run);
  }

  /** Lets a run in memory write this itself; false if it is not in memory, or is leaving it. */
  public boolean writeInMemory(long run, JournalEntry entry, Change... changes) {
    RunPass pass = inMemory.pass(run);
    return pass != null && pass.writeBeside(entry, changes);
  }

  /** Whether this run is in no memory and yet not free, so that nothing can be written to it. */
  public boolean waitsForCode(Run run) {
    return run.owner() != null && waiting.holds(run);
  }

  /** Whether the run cannot go on because the code of its release is not registered. */
  public boolean isCodeMissing(Run run) {
    return missing.holdsUp(run) && isUnregistered(FlowRelease.of(run));
  }

  /** Asks no source, because a source may read; it was asked when a run of the release was due. */
  private boolean isUnregistered(FlowRelease release) {
    return flows.registered(release) == null && (!flows.hasSource() || missing.knows(release));
  }

  /** Whether the store may have lost the run of an event that happened at this time. */
  public boolean mayHaveLost(Instant occurredAt) {
    return parts.failovers().mayHaveLost(occurredAt);
  }

  /** False if the engine is closing and waits no longer. */
  private boolean waitForStore() {
    if (status.isClosing()) {
      return false;
    }
    parts.threads().signal().await(RETRY);
    return true;
  }

  /** The memory of this node for values. */
  public ValueMemory memory() {
    return parts.memory();
  }

  /** Runs that are kept out of memory. */
  public Quarantine quarantine() {
    return quarantine;
  }

  public Settling settling() {
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
  public void broken(RuntimeException cause) {
    if (status.breaks(cause)) {
      breakdown.of(cause);
    }
  }

  public boolean isOpen() {
    return status.isOpen();
  }

  /** Refuses also while a restored store waits for a person. */
  public void refuseIfClosed() {
    refuseIfEnded();
    hold.refuse();
  }

  /** Does not refuse while the engine is only held. */
  public void refuseIfEnded() {
    status.refuseIfEnded();
  }

  /** Returns what exports records before they are deleted; null if nothing is exported. */
  public @Nullable RetentionExport export() {
    return retention.export();
  }

  /**
   * Deletes an ended run before its retention is over, as retention does; returns whether it is
   * gone: an effect that is open or a parent may hold it.
   */
  public boolean deleteEarly(long run) {
    return retention.deleteEarly(run);
  }

  /** See {@link Shutdown}. */
  public void close(Duration atMost) {
    starts().close();
    new Shutdown(parts, status, executor, suspects, retention, heartbeat, hold).close(atMost);
  }
}
