package dev.hapax;

import dev.hapax.admission.StartRequest;
import dev.hapax.engine.Engine;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.control.ReplayControl;
import dev.hapax.engine.control.ReviewDecision;
import dev.hapax.engine.control.RunControl;
import dev.hapax.engine.control.TryNow;
import dev.hapax.engine.control.WaitControl;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.Caller;
import dev.hapax.flow.Effect;
import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.FailureClass;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.HistoryPage;
import dev.hapax.flow.Hold;
import dev.hapax.flow.Names;
import dev.hapax.flow.NodeMemory;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.RunWait;
import dev.hapax.flow.StoppedDuplicate;
import dev.hapax.flow.StoreHandle;
import dev.hapax.job.CancelJob;
import dev.hapax.job.DeleteJob;
import dev.hapax.job.JobControl;
import dev.hapax.job.JobKinds;
import dev.hapax.job.JobWork;
import dev.hapax.job.ReplayJob;
import dev.hapax.job.RetryJob;
import dev.hapax.job.SettleJob;
import dev.hapax.json.Json;
import dev.hapax.run.StoppedNotes;
import dev.hapax.store.BreakageReport;
import dev.hapax.store.Store;
import dev.hapax.store.StoreProvider;
import dev.hapax.subject.ErasureWork;
import dev.hapax.subject.SubjectEraser;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A durable workflow engine in your process: open a file, register flows, start runs. After a
 * crash, accepted runs continue when the same file is opened and the same flows are registered.
 * Safe for many threads. Open only one per file.
 */
public final class Hapax implements AutoCloseable {
  private final HapaxOptions options;
  private final @Nullable Hapax opened;
  private final ConcurrentMap<String, Hapax> tenants;
  private final Store store;
  private final Engine engine;
  private final RunControl control;
  private final WaitControl waits;
  private final TenantServices services;
  private final TenantRecords records;
  private final JobKinds kinds;
  private final JobControl jobs;
  private final Redelivery redelivery;
  private final ReplayControl replays;
  private final ReplayJob replayJob;
  private final SubjectEraser eraser;
  private final ErasureWork erasures;

  private Hapax(Store given, HapaxOptions options) {
    this.options = options;
    this.opened = null;
    this.tenants = new ConcurrentHashMap<>();
    var watched = new BreakageReport(given);
    this.store = watched;
    this.engine = options.engineOn(store);
    watched.whenBroken(engine::broken);
    this.control = new RunControl(engine, store);
    this.waits = new WaitControl(engine, store);
    this.services = TenantServices.of(engine, store, control, options, null);
    this.records = new TenantRecords(store, options.tenant(), new SearchCatchUp(engine, store));
    this.kinds = new JobKinds();
    this.jobs = new JobControl(engine, store, kinds);
    this.redelivery =
        new Redelivery(store, owner -> owner.equals(options.tenant()) ? this : tenant(owner));
    kinds.register(new RetryJob(store, control));
    kinds.register(new CancelJob(store, control));
    kinds.register(new SettleJob(store, control));
    this.replays = new ReplayControl(engine, store, control);
    this.replayJob = new ReplayJob(store, replays);
    kinds.register(replayJob);
    kinds.register(new DeleteJob(engine, store));
    kinds.register(redelivery);
    this.eraser = new SubjectEraser(engine, store);
    this.erasures = new ErasureWork(engine, store, eraser);
    engine.flows().builtIn(erasures.flow());
    engine.flows().builtIn(new JobWork(engine, store, kinds).flow());
    engine.start(erasures::catchUpIfPossible);
    engine.hold().then(erasures::resumeIfPossible);
  }

  private Hapax(Hapax opened, String tenant) {
    this.options = opened.options.tenant(tenant);
    this.opened = opened;
    this.tenants = opened.tenants;
    this.store = opened.store;
    this.engine = opened.engine;
    this.control = opened.control;
    this.waits = opened.waits;
    this.services = TenantServices.of(engine, store, control, options, tenant);
    this.records = new TenantRecords(store, tenant, new SearchCatchUp(engine, store));
    this.kinds = opened.kinds;
    this.jobs = opened.jobs;
    this.redelivery = opened.redelivery;
    this.replays = opened.replays;
    this.replayJob = opened.replayJob;
    this.eraser = opened.eraser;
    this.erasures = opened.erasures;
  }

  /**
   * Returns this engine's view for one tenant; the same tenant always gets the same object. Flows
   * registered on the view are used only for this tenant's runs. Flows registered on the opened
   * engine serve every tenant that has no flow of that name and release.
   *
   * @throws IllegalStateException if this is itself the view of a tenant: it cannot reach another
   *     tenant
   */
  public Hapax tenant(String owner) {
    refuseInPart("another tenant");
    Names.key("a tenant", owner);
    Hapax known = tenants.get(owner);
    return known != null ? known : tenants.computeIfAbsent(owner, name -> new Hapax(this, name));
  }

  void refuseInPart(String what) {
    if (opened != null) {
      throw new IllegalStateException(
          "this Hapax gives access to tenant '%s' only, not to %s: use the Hapax that was opened"
              .formatted(options.tenant(), what));
    }
  }

  /** Opens the store in this file, and creates it if necessary. */
  public static Hapax open(Path file) {
    return open(file, HapaxOptions.DEFAULT);
  }

  public static Hapax open(Path file, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(file, options.ports().threads())), options);
  }

  /** Opens the store in this PostgreSQL database, and creates it if necessary. */
  public static Hapax open(DataSource connections) {
    return open(connections, HapaxOptions.DEFAULT);
  }

  public static Hapax open(DataSource connections, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(connections, options.ports().threads())),
        options);
  }

  /** As above, by URL: {@code jdbc:postgresql://host/database?user=name}. */
  public static Hapax open(String url, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(url, options.ports().threads())), options);
  }

  /** Opens an engine on a store that is open already. Closing the engine closes the store. */
  public static Hapax open(StoreHandle store, HapaxOptions options) {
    if (!(store instanceof Store port)) {
      throw new IllegalArgumentException(
          "store: expected an implementation of dev.hapax.store.Store, got " + store);
    }
    return new Hapax(port, options);
  }

  /** Registers a flow's code. Runs of this release that an earlier process left behind continue. */
  public void register(Flow<?, ?> flow) {
    if (flow.name().startsWith(Names.RESERVED)) {
      throw new IllegalArgumentException(
          "%s: names that begin with '%s' are reserved for Hapax. Choose another name."
              .formatted(flow, Names.RESERVED));
    }
    engine.flows().register(opened == null ? null : options.tenant(), flow);
  }

  /**
   * Sets the source of code for releases that are not registered, for all tenants. Runs that wait
   * for such code continue.
   */
  public void codeFrom(FlowSource source) {
    refuseInPart("the code of other tenants");
    engine.flows().source(source);
  }

  /**
   * Starts a run. It is durable when this returns. A second start with the same key returns the
   * first run.
   */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input) {
    return start(flow, input, null);
  }

  /** As above, with a key, for a flow that does not compute one. */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input, @Nullable String key) {
    return start(flow, input, key, null);
  }

  /**
   * As above, with the caller who starts the run. The run's record keeps it, and {@link
   * dev.hapax.flow.Approval#notByStarter} refuses a decision by the same caller.
   */
  public <I, O> RunHandle<O> start(
      Flow<I, O> flow, I input, @Nullable String key, @Nullable Caller caller) {
    var request = StartRequest.byCaller(options.tenant(), flow, input, key, caller);
    return RunHandle.of(this, flow, engine.starts().start(request));
  }

  /**
   * Makes an effect that needs no flow of yours. Make it once, when your program begins, like a
   * flow: then what an earlier process left behind continues.
   *
   * <pre>{@code
   * Once<Charge, Receipt> once =
   *     hapax.once(
   *         "charge",
   *         Charge.class,
   *         Receipt.class,
   *         charge -> Effect.create(charge.order()).request(charge).keyed(),
   *         (key, charge) -> psp.pay(charge, key));
   * Receipt receipt = once.call(new Charge("A-1", 4_000)); // once, however often
   * }</pre>
   *
   * @param name of the effect in the ledger; effects of flows with this name and key are the same
   * @param effect its contract, made from nothing but the request
   * @param sender carries it out
   */
  public <I, O> Once<I, O> once(
      String name,
      Class<I> request,
      Class<O> result,
      Function<I, Effect<I>> effect,
      RunContext.RequestSender<I, ? extends O> sender) {
    Flow<I, O> flow = Once.flow(name, request, result, effect, sender);
    register(flow);
    return new Once<>((input, atMost) -> startOrRetry(flow, input).await(atMost));
  }

  private <I, O> RunHandle<O> startOrRetry(Flow<I, O> flow, I input) {
    RunHandle<O> handle = start(flow, input);
    if (handle.isDuplicate() && handle.run().status() == RunStatus.FAILED) {
      try {
        retry(handle.id(), "once");
      } catch (NotPossible e) {
        if (handle.run().status() == RunStatus.FAILED) {
          throw e;
        } // otherwise another caller was faster
      }
    }
    return handle;
  }

  /**
   * Starts runs in your own transaction, if Hapax uses the same PostgreSQL database. Your rows and
   * the run are committed together, or neither is.
   *
   * @param connection has an open transaction, which you commit or roll back
   */
  public InTransaction in(Connection connection) {
    return new InTransaction(this, engine, group -> store.write(group, connection));
  }

  <I> StartRequest<I> request(Flow<I, ?> flow, I input, @Nullable String key) {
    return StartRequest.byCaller(options.tenant(), flow, input, key, null);
  }

  /**
   * Returns what {@link #start} would do with this input, and starts nothing.
   *
   * @param key for a flow that does not compute one; null for none
   */
  public <I> StartOutlook outlook(Flow<I, ?> flow, I input, @Nullable String key) {
    return StartOutlook.of(engine.admission(), request(flow, input, key));
  }

  /** Returns the id of the run with this flow and key, whether or not the run exists. */
  public String id(String flow, String key) {
    return RunId.of(options.tenant(), flow, key, null).toString();
  }

  /** Returns a handle on a run that was started before, here or by an earlier process. */
  public <O> RunHandle<O> handle(String runId, Class<O> output) {
    return RunHandle.on(this, run(runId), output);
  }

  /** Returns the run as the store holds it now. Throws KeyExpired if only its tombstone is left. */
  public Run run(String runId) {
    return records.run(runId);
  }

  /** Returns the run with this number; null if it belongs to another tenant or has no record. */
  public @Nullable Run findRun(long number) {
    return records.find(number);
  }

  /**
   * Adds some rows of all tenants to the search index, in one short commit; false if there are none
   * left. A search does this too, as far as it can wait. A program with many runs calls this now
   * and then, so that no search has much to do.
   */
  public boolean indexForSearch() {
    refuseInPart("the search index of all tenants");
    return records.search().step();
  }

  /** Returns the people whom runs are about: export and erase what is stored about them. */
  public Subjects subjects() {
    var access =
        new SubjectAccess(
            this::refuseInPart, records.search()::forSearch, this::historyOf, resources()::find);
    return new Subjects(access, engine, store, eraser, erasures, options.tenant());
  }

  /** Returns everything that this text may mean, exact matches first, a bounded number of each. */
  public List<Found> find(String text) {
    return new Finder(this, store, options.tenant()).find(text);
  }

  /** Returns what this engine's tenant uses and keeps. */
  public Tenancy tenancy() {
    return new Tenancy(engine, store, options.tenant());
  }

  /** Returns whether starts are accepted: the engine is open and its store has space. */
  public boolean isWritable() {
    return engine.isOpen() && !engine.committer().isFull();
  }

  /**
   * Returns whether this node has room for another run in memory. Without it a run that is started
   * is durable, but begins later or at another node.
   */
  public boolean hasRoom() {
    return engine.hasRoom();
  }

  public List<Run> runs(RunFilter filter) {
    return records.runs(filter);
  }

  /** Returns whether a step of this run has had an unsuccessful attempt and will be tried again. */
  public boolean isRetrying(Run run) {
    return records.isRetrying(run);
  }

  /**
   * Returns whether the run cannot continue because the code of its release is not registered. It
   * continues when the code is registered. If several nodes share a store, each node reports the
   * runs that no node has taken up in time.
   */
  public boolean isCodeMissing(Run run) {
    return engine.isCodeMissing(run);
  }

  /**
   * Returns what a run waits for now: slots, locks and effects with the runs that hold them,
   * children, answers, people and times. Waits that need a person come first. Empty for a run that
   * is under way or has ended.
   */
  public List<RunWait> waitsOf(String runId) {
    return new RunWaits(store, engine).of(run(runId));
  }

  /**
   * Returns the last 20 starts that were stopped because this run existed, and answers that were
   * stopped because it had them, the newest first. {@link Run#duplicates} counts all of them. They
   * are written about a second later, so a crash can lose the newest.
   */
  public List<StoppedDuplicate> duplicatesOf(String runId) {
    return StoppedNotes.read(store.stoppedNotes(run(runId).number()));
  }

  /** Returns what happened in a run, and why. */
  public List<HistoryEntry> history(String runId) {
    return records.history(runId);
  }

  /** Returns the same to be read once, entry by entry: memory holds a part of a long history. */
  public Iterable<HistoryEntry> historyOf(String runId) {
    return records.lines(run(runId));
  }

  /** Returns at most this many entries after this number, or fewer long ones; 0 is the start. */
  public HistoryPage history(String runId, long after, int limit) {
    return records.history(runId, after, limit);
  }

  public List<EffectRecord> effects(EffectFilter filter) {
    return records.effects(filter);
  }

  /** Returns the effect with this id, as the ledger holds it now. */
  public EffectRecord effect(String effectId) {
    return records.effect(effectId);
  }

  /** Returns the id of the run that owns an effect; null if the run's record is gone. */
  public @Nullable String ownerOf(EffectRecord effect) {
    Run run = store.run(effect.run());
    return run == null ? null : run.id().toString();
  }

  /**
   * Returns what people should do about trouble in this step of a run; null if its flow does not
   * say, or its code is not registered.
   */
  public @Nullable String runbook(Run run, @Nullable String step) {
    Flow<?, ?> flow = engine.flows().find(FlowRelease.of(run));
    return flow == null ? null : flow.runbook(step);
  }

  /** Returns a filter for the effects of this engine's tenant. */
  public EffectFilter effects() {
    return EffectFilter.of(options.tenant());
  }

  public RunFilter runs() {
    return RunFilter.of(options.tenant());
  }

  /**
   * Returns the runs that have a slot of this flow's concurrency limit and the runs that wait for
   * one, in order of arrival.
   *
   * @param key of the limit; null if the limit applies to the whole flow
   */
  public List<Hold> slots(String flow, @Nullable String key) {
    return records.slots(flow, key);
  }

  /**
   * Returns the runs that hold locks, since when, and the runs that wait for them, in order of
   * arrival.
   */
  public List<Hold> locks() {
    return records.locks();
  }

  /** Requests the cancellation of a run. Effects in flight or in doubt are settled first. */
  public void cancel(String runId, String actor, @Nullable String reason) {
    control.cancel(run(runId).id(), new Run.Cancel(actor, reason));
  }

  /** As above, and then undoes the run's effects in reverse order. The run ends as compensated. */
  public void cancelAndCompensate(String runId, String actor, @Nullable String reason) {
    control.cancel(run(runId).id(), new Run.Cancel(actor, reason, true));
  }

  /**
   * Lets a quarantined run go on: one that was kept out of memory, because it seemed to end the
   * processes that loaded it. If it does so again, it is quarantined again.
   *
   * @throws dev.hapax.flow.NotPossible if the run is not quarantined
   */
  public void resume(String runId, String actor, @Nullable String reason) {
    control.resume(run(runId).id(), actor, reason);
  }

  /**
   * Lets a run that waits for its next attempts make them now. The pauses that the flow's retry
   * terms or a destination's {@code Retry-After} asked for are over; the settle time of a lookup,
   * the rates and the circuit breaker of a destination still hold, and each attempt counts.
   *
   * @throws dev.hapax.flow.NotPossible if no step of the run waits for its next attempt
   */
  public void tryNow(String runId, String actor) {
    new TryNow(engine, store, control).tryNow(run(runId).id(), actor);
  }

  /** The memory of this node for the values of all runs, of all tenants. */
  public NodeMemory memory() {
    return engine.memory();
  }

  /** Replays of runs that have ended, from a step on. */
  public Replays replays() {
    return new Replays(replays, this, replayJob);
  }

  /** Retries a failed run from the steps that failed. Steps that are done stay done. */
  public void retry(String runId, String actor) {
    control.retry(run(runId).id(), actor, null);
  }

  /** As above, with a corrected input that gives the same key. */
  public <I> void retry(String runId, String actor, Flow<I, ?> flow, I corrected) {
    Run run = run(runId);
    control.retry(run.id(), actor, engine.admission().correct(run, flow, corrected));
  }

  /**
   * Forgets the key of a run that has ended, but never its effects: the next start with the key is
   * a new run. If the flow makes a run per key and input, this forgets all runs of the key.
   * Forgetting a key again changes nothing.
   */
  public void forget(Flow<?, ?> flow, String key, String actor, String reason) {
    List<RunId> holders = engine.admission().holders(options.tenant(), flow, key);
    if (holders.isEmpty()) {
      throw new NotFound("flow '%s' has no run with the key '%s'".formatted(flow.name(), key));
    }
    holders.forEach(holder -> control.forget(holder, actor, reason));
  }

  /** Settles an effect in review. */
  public void settle(String effectId, Settlement settlement) {
    long number = effect(effectId).number();
    control.settle(
        number,
        new ReviewDecision(
            settlement.decision(),
            settlement.result(),
            settlement.externalId(),
            settlement.reason(),
            settlement.actor(),
            settlement.seen(),
            settlement.compensate()));
  }

  /** Records the output of a failed step by hand, and lets its run continue. */
  public void settleStep(
      String runId,
      String step,
      @Nullable String item,
      @Nullable Object output,
      String reason,
      String actor) {
    control.settleStep(
        run(runId).id(), step, item, output == null ? "null" : Json.write(output), reason, actor);
  }

  /** Effects that wait for a person, and what they have in common. */
  public Reviews reviews() {
    return new Reviews(records);
  }

  /** Receipts: what is known about one effect, for people outside. */
  public Receipts receipts() {
    return new Receipts(records, ledger(), engine.clock());
  }

  /** Work on many runs, effects or events: retry, cancel, settle, redeliver. */
  public Jobs jobs() {
    return new Jobs(this, store, jobs, kinds, redelivery, options.tenant());
  }

  /** The ledger as a whole: effects that another system did come in, and rows go out. */
  public LedgerBook ledger() {
    return services.ledger();
  }

  /** Messages to other systems. */
  public Outbox outbox() {
    return services.outbox();
  }

  /** Events from other systems. */
  public Inbox inbox() {
    return services.inbox();
  }

  /** Schedules, which start runs at nominal instants. */
  public Schedules schedules() {
    return services.schedules();
  }

  /** Limits and current state of external systems. */
  public Destinations destinations() {
    return new Destinations(engine.destinations(), options.tenant());
  }

  /** Answers of outside systems to runs that wait for them. */
  public Callbacks callbacks() {
    return new Callbacks(waits, store, options.tenant());
  }

  /** Approvals that runs wait for, and people's decisions. */
  public Approvals approvals() {
    return new Approvals(waits, store, options.tenant());
  }

  /** Shows which records are kept, until when and why, and how many were deleted. */
  public Retention retention() {
    return new Retention(this, records, engine, store, options);
  }

  /** The durable map that the runs of this tenant share. */
  public Kv kv() {
    return services.kv();
  }

  /** Large values, stored once and passed by reference. */
  public Resources resources() {
    return services.resources();
  }

  /** Writes a consistent copy of the live store, with all its tenants, to a new file. */
  public void backup(Path target) {
    refuseInPart("the whole store");
    store.backup(target, engine.clock().now());
  }

  /**
   * Erases the key of callback and approval tokens that the store made for itself before you
   * supplied one, see {@link HapaxOptions#tokenKey}. Tokens that were made with it answer as
   * unknown from then on. Older backups of the store still contain the key.
   */
  public void eraseTokenKeyOfStore() {
    refuseInPart("the whole store");
    byte[] key = store.secretKey();
    if (key != null) {
      store.eraseSecretKey(key);
    }
  }

  /** Returns the random number that identifies this store. */
  public long storeId() {
    return store.id();
  }

  /**
   * Returns the periods between the moment a copy was made and the moment it replaced its store.
   * The store knows nothing of what was done in these periods.
   */
  public List<Failover> restores() {
    return store.failovers().stream().filter(Failover::isRestore).toList();
  }

  /** Returns when a person declared this store a copy of another; null if it is not a copy. */
  public @Nullable Instant copiedAt() {
    return store.copiedAt();
  }

  /**
   * Returns why this engine sends nothing: its store was restored or copied, and no person has
   * declared yet what it is. Returns null if the engine works normally.
   */
  public @Nullable Restored restored() {
    return engine.hold().restored();
  }

  /**
   * Declares what the restored store is, and lets its runs continue. As {@link
   * Restoration#PRODUCTION}, effects that they send for the first time are in doubt, because they
   * may have been sent before. As {@link Restoration#COPY}, the same holds, and the store gets a
   * new identity.
   *
   * @throws IllegalStateException if the store was not restored
   */
  public void restore(Restoration as) {
    refuseInPart("the whole store");
    erasures.catchUp();
    engine.restore(as);
  }

  /**
   * Returns whether the run waits for a person to settle one of its effects. A run that is being
   * canceled or undone keeps its status meanwhile.
   */
  public boolean isInReview(Run run) {
    return switch (run.shownStatus()) {
      case REVIEW -> true;
      case CANCELING, COMPENSATING ->
          new RunWaits(store, engine)
              .of(run).stream().anyMatch(wait -> wait.cause() == RunWait.Cause.REVIEW);
      default -> false;
    };
  }

  /** Whether nothing happens to the run until a person has settled one of its effects. */
  boolean isStoppedInReview(Run run) {
    return control.isInReview(run);
  }

  /** Returns what a run that did not succeed needs; null if nothing failed. */
  public @Nullable FailureClass failureClass(Run run) {
    return FailureClass.of(run, isInReview(run));
  }

  /** Returns the JSON text that an output is or refers to. */
  String valueOf(String output) {
    return engine.values().valueOf(options.tenant(), output);
  }

  Endings endings() {
    return engine.endings();
  }

  /**
   * Closes the engine. Runs in memory are written out at their next step, and continue when the
   * store is opened again. On the view of a tenant this does nothing: close the engine that was
   * opened.
   */
  @Override
  public void close() {
    if (opened == null) {
      engine.close(options.closeWithin());
    }
  }
}
