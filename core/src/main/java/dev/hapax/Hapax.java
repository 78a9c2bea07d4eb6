package dev.hapax;

import dev.hapax.admission.Admission;
import dev.hapax.admission.AdmissionRequest;
import dev.hapax.admission.DuplicateCounter;
import dev.hapax.admission.RunAdmission;
import dev.hapax.engine.Endings;
import dev.hapax.engine.Engine;
import dev.hapax.engine.PendingStart;
import dev.hapax.engine.RunControl;
import dev.hapax.engine.WaitControl;
import dev.hapax.flow.Flow;
import dev.hapax.flow.FlowSource;
import dev.hapax.flow.Names;
import dev.hapax.history.HistoryEntry;
import dev.hapax.history.RunHistory;
import dev.hapax.inbox.Inbox;
import dev.hapax.json.Json;
import dev.hapax.json.RawType;
import dev.hapax.kv.Kv;
import dev.hapax.outbox.Outbox;
import dev.hapax.resource.Resources;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Hold;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.Retrying;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.Subject;
import dev.hapax.schedule.Schedules;
import dev.hapax.store.BreakageReport;
import dev.hapax.store.EffectFilter;
import dev.hapax.store.Failover;
import dev.hapax.store.Restoration;
import dev.hapax.store.Restored;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.store.StoreFull;
import dev.hapax.store.StoreProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A durable workflow engine in your process: open a file, register flows, start runs. What was
 * accepted goes on after a crash, when the same file is opened and the same flows are registered.
 * Safe for many threads; one per file.
 */
public final class Hapax implements AutoCloseable {
  private static final String BUILT_IN = "hapax/";

  private final HapaxOptions options;
  private final @Nullable Hapax opened;
  private final ConcurrentMap<String, Hapax> tenants;
  private final Store store;
  private final Engine engine;
  private final RunAdmission admission;
  private final DuplicateCounter duplicates;
  private final RunControl control;
  private final Outbox outbox;
  private final Schedules schedules;
  private final WaitControl waits;
  private final Kv kv;
  private final Resources resources;
  private final Inbox inbox;

  private Hapax(Store given, HapaxOptions options) {
    this.options = options;
    this.opened = null;
    this.tenants = new ConcurrentHashMap<>();
    var watched = new BreakageReport(given);
    this.store = watched;
    this.engine =
        new Engine(
            store,
            options.ports(),
            options.interceptor(),
            options.alerts(),
            options.mostInMemory(),
            options.retentionOptions(),
            options.clusterOptions(),
            options.whenBroken());
    watched.whenBroken(engine::broken);
    this.admission =
        new RunAdmission(store, engine.clock(), engine.ids(), options.ports().random());
    this.duplicates =
        new DuplicateCounter(
            engine.committer(),
            engine.clock(),
            engine.ids(),
            what -> engine.later(Duration.ofSeconds(1), what));
    this.control = new RunControl(engine, store);
    this.outbox = new Outbox(engine, store, control, options.tenant(), null);
    this.inbox =
        new Inbox(engine, store, admission, options.tenant(), options.retentionOptions().events());
    this.schedules = new Schedules(engine, store, admission, options.tenant());
    this.waits = new WaitControl(engine, store);
    engine.startChildrenBy(new ChildAdmission(admission));
    this.resources = new Resources(engine.values(), options.tenant());
    this.kv =
        new Kv(
            store,
            engine.values(),
            engine.committer(),
            engine.clock(),
            engine.ids(),
            options.tenant());
    engine.start();
  }

  private Hapax(Hapax opened, String tenant) {
    this.options = opened.options.tenant(tenant);
    this.opened = opened;
    this.tenants = opened.tenants;
    this.store = opened.store;
    this.engine = opened.engine;
    this.admission = opened.admission;
    this.duplicates = opened.duplicates;
    this.control = opened.control;
    this.waits = opened.waits;
    this.outbox = new Outbox(engine, store, control, tenant, tenant);
    this.inbox = new Inbox(engine, store, admission, tenant, options.retentionOptions().events());
    this.schedules = new Schedules(engine, store, admission, tenant);
    this.resources = new Resources(engine.values(), tenant);
    this.kv =
        new Kv(store, engine.values(), engine.committer(), engine.clock(), engine.ids(), tenant);
  }

  /**
   * The same engine for what this tenant owns, and always the same object for the same tenant. What
   * is registered there is the code of this tenant's runs only; what is registered at the engine
   * that was opened is there for every tenant that has no such flow itself.
   *
   * @throws IllegalStateException if this is a tenant's part itself: it leads to no other
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
          "this is the part of tenant '%s', through which %s cannot be reached: ask the Hapax that was opened"
              .formatted(options.tenant(), what));
    }
  }

  /** Opens the store in this file, or makes it. */
  public static Hapax open(Path file) {
    return open(file, HapaxOptions.DEFAULT);
  }

  public static Hapax open(Path file, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(file, options.ports().threads())), options);
  }

  /** Opens the store in this PostgreSQL database, or makes it there. */
  public static Hapax open(DataSource connections) {
    return open(connections, HapaxOptions.DEFAULT);
  }

  public static Hapax open(DataSource connections, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(connections, options.ports().threads())),
        options);
  }

  /** As above, by an address: {@code jdbc:postgresql://host/database?user=name}. */
  public static Hapax open(String url, HapaxOptions options) {
    return open(
        StoreProvider.open(provider -> provider.open(url, options.ports().threads())), options);
  }

  /** Opens an engine on a store of your own; closing the engine closes it. */
  public static Hapax open(Store store, HapaxOptions options) {
    return new Hapax(store, options);
  }

  /** Makes a flow's code known. Runs of this release that an earlier process left go on. */
  public void register(Flow<?, ?> flow) {
    if (flow.name().startsWith(BUILT_IN)) {
      throw new IllegalArgumentException(
          "%s: names that begin with '%s' belong to Hapax itself".formatted(flow, BUILT_IN));
    }
    engine.register(opened == null ? null : options.tenant(), flow);
  }

  /**
   * Says where the code of releases comes from that are not registered, of all tenants. Runs that
   * wait for such code go on.
   */
  public void codeFrom(FlowSource source) {
    refuseInPart("the code of others");
    engine.codeFrom(source);
  }

  /** Starts a run, durable when this returns; the second start of a key gets the first run. */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input) {
    return start(flow, input, null);
  }

  /** As above, with a key for a flow that computes none. */
  public <I, O> RunHandle<O> start(Flow<I, O> flow, I input, @Nullable String key) {
    AdmissionRequest<I> request = request(flow, input, key);
    while (true) {
      RunHandle<O> handle = tryToStart(request, flow);
      if (handle != null) {
        return handle;
      }
    }
  }

  /**
   * Starts runs in a transaction of your own, where Hapax lives in the same PostgreSQL database:
   * your rows and the run are committed together, or neither.
   *
   * @param connection with a transaction open, which you commit or roll back
   */
  public InTransaction in(Connection connection) {
    return new InTransaction(this, engine, group -> store.write(group, connection));
  }

  <I> AdmissionRequest<I> request(Flow<I, ?> flow, I input, @Nullable String key) {
    engine.refuseIfClosed();
    if (!engine.isRegistered(options.tenant(), flow)) {
      throw new IllegalStateException(
          flow + " is not registered here: call hapax.register(flow) before starting it");
    }
    String why = inputRefusal(flow, input);
    if (why != null) {
      throw new IllegalArgumentException(why);
    }
    return new AdmissionRequest<>(options.tenant(), flow, input, key);
  }

  /** Why no run of this flow can have this input; null if nothing speaks against it. */
  static @Nullable String inputRefusal(Flow<?, ?> flow, @Nullable Object input) {
    if (input == null) {
      return "input of %s: expected a value, got null. Give it a record without components if it has none."
          .formatted(flow);
    }
    RawType lost = RawType.lost(flow.input(), input);
    return lost == null ? null : "input of %s: %s.".formatted(flow, lost.inFlow());
  }

  /** Null if somebody else was faster: then the key is looked at again. */
  private <I, O> @Nullable RunHandle<O> tryToStart(AdmissionRequest<I> request, Flow<I, O> flow) {
    Admission admission = admit(request);
    return admission instanceof Admission.Fresh fresh
        ? begin(flow, fresh)
        : refuseOrReturn(flow, admission);
  }

  Admission admit(AdmissionRequest<?> request) {
    return admission.admit(request);
  }

  /** The answer to a start whose key has a run. */
  <O> RunHandle<O> refuseOrReturn(Flow<?, O> flow, Admission admission) {
    return switch (admission) {
      case Admission.Fresh _ -> throw new IllegalArgumentException("nobody has this key");
      case Admission.Duplicate(var first) -> duplicate(flow, first);
      case Admission.KeyReused(var first, var difference) -> throw reused(first, difference);
      case Admission.KeyExpired(var tombstone) -> throw new KeyExpired(tombstone);
    };
  }

  private <I, O> @Nullable RunHandle<O> begin(Flow<I, O> flow, Admission.Fresh fresh) {
    if (engine.committer().isFull()) {
      throw StoreFull.refusing();
    }
    PendingStart pendingStart = engine.begin(flow, fresh.run());
    try {
      if (pendingStart.await() != null) {
        return null;
      }
    } catch (PendingStart.KeyChangedHands e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartInterrupted(fresh.run().id().toString(), e);
    }
    return new RunHandle<>(
        this, fresh.run().id(), fresh.run().number(), flow.output(), false, pendingStart.ending());
  }

  private <O> RunHandle<O> duplicate(Flow<?, O> flow, Run first) {
    duplicates.count(first.number());
    return new RunHandle<>(this, first.id(), first.number(), flow.output(), true, null);
  }

  private static KeyReused reused(Run first, String difference) {
    return new KeyReused(first.flow(), first.key(), first.id().toString(), difference);
  }

  /** The id of the run of this flow and key, whether it exists or not. */
  public String id(String flow, String key) {
    return RunId.of(options.tenant(), flow, key, null).toString();
  }

  /** A handle on a run that was started before, here or by an earlier process. */
  public <O> RunHandle<O> handle(String runId, Class<O> output) {
    Run run = run(runId);
    return new RunHandle<>(this, run.id(), run.number(), output, false, null);
  }

  /** The run as the store holds it now; throws KeyExpired if only its tombstone is left. */
  public Run run(String runId) {
    KeyHolder holder = store.holder(RunId.parse(runId));
    if (holder instanceof KeyHolder.Present(var run, var _)
        && run.tenant().equals(options.tenant())) {
      return run;
    }
    if (holder instanceof KeyHolder.Expired(var tombstone, var _)
        && tombstone.tenant().equals(options.tenant())) {
      throw new KeyExpired(tombstone);
    }
    throw new RunControl.NotFound("there is no run " + runId);
  }

  /** The run with this number, if it is this tenant's and its record is there. */
  public @Nullable Run findRun(long number) {
    Run run = store.run(number);
    return run == null || !run.tenant().equals(options.tenant()) ? null : run;
  }

  /** Whether starts are accepted: the engine is open and its store has space. */
  public boolean isWritable() {
    return engine.isOpen() && !engine.committer().isFull();
  }

  public List<Run> runs(RunFilter filter) {
    return store.runs(filter.ownedBy(options.tenant()));
  }

  /** Whether an attempt at a step of this run has not succeeded, and there will be another one. */
  public boolean isRetrying(Run run) {
    return run.endedAt() == null && Retrying.isIn(store.journal(run.number()));
  }

  /**
   * Whether the run cannot go on because the code of its release is not registered; it goes on when
   * it is. Of several nodes on one store, each speaks for runs that no node has taken up in time.
   */
  public boolean isCodeMissing(Run run) {
    return engine.isCodeMissing(run);
  }

  /** What happened in a run, and why. */
  public List<HistoryEntry> history(String runId) {
    Run run = run(runId);
    long number = run.number();
    return RunHistory.of(
        run,
        parentOf(run),
        store.journal(number),
        store.waits().ofRun(number),
        store.waits().laterAnswers(number));
  }

  private @Nullable RunId parentOf(Run run) {
    Long number = run.parent();
    Run parent = number == null ? null : store.run(number);
    return parent == null ? null : parent.id();
  }

  public List<EffectRecord> effects(EffectFilter filter) {
    return store.effects(filter.ownedBy(options.tenant()));
  }

  /** The effect with this id, as the ledger holds it now. */
  public EffectRecord effect(String effectId) {
    EffectRecord row = store.effect(EffectRecord.number(effectId));
    if (row == null || !row.key().tenant().equals(options.tenant())) {
      throw new RunControl.NotFound("there is no effect " + effectId);
    }
    return row;
  }

  /** The id of the run that owns an effect; null if its record is gone. */
  public @Nullable String ownerOf(EffectRecord effect) {
    Run run = store.run(effect.run());
    return run == null ? null : run.id().toString();
  }

  /** Filters for this engine's tenant. */
  public EffectFilter effects() {
    return EffectFilter.of(options.tenant());
  }

  public RunFilter runs() {
    return RunFilter.of(options.tenant());
  }

  /**
   * Who has a slot of this flow's concurrency limit and who waits for one, in order of arrival.
   *
   * @param key of the limit; null if it counts over the whole flow
   */
  public List<Hold> slots(String flow, @Nullable String key) {
    return store.holds(options.tenant(), Subject.gate(options.tenant(), flow, key));
  }

  /** Who holds which lock since when, and who waits for it, in order of arrival. */
  public List<Hold> locks() {
    return store.holds(options.tenant(), null).stream()
        .filter(hold -> hold.line().isLock())
        .toList();
  }

  /** Asks for a run's end; what is in flight or in doubt is settled first. */
  public void cancel(String runId, String actor, @Nullable String reason) {
    control.cancel(run(runId).id(), new Run.Cancel(actor, reason));
  }

  /** As above, and then undoes what the run has done, the last first; it ends as compensated. */
  public void cancelAndCompensate(String runId, String actor, @Nullable String reason) {
    control.cancel(run(runId).id(), new Run.Cancel(actor, reason, true));
  }

  /** A failed run goes on with what failed; what is done stays done. */
  public void retry(String runId, String actor) {
    control.retry(run(runId).id(), actor, null);
  }

  /** As above with a corrected input that gives the same key. */
  public <I> void retry(String runId, String actor, Flow<I, ?> flow, I corrected) {
    Run run = run(runId);
    control.retry(run.id(), actor, admission.correct(run, flow, corrected));
  }

  /**
   * Forgets the key of a run that has ended, never its effects: the next start under the key is a
   * new run. Of a flow that makes a run per key and input, all of them. Forgetting it again changes
   * nothing.
   */
  public void forget(Flow<?, ?> flow, String key, String actor, String reason) {
    List<RunId> holders = admission.holders(options.tenant(), flow, key);
    if (holders.isEmpty()) {
      throw new RunControl.NotFound(
          "flow '%s' has no run with the key '%s'".formatted(flow.name(), key));
    }
    holders.forEach(holder -> control.forget(holder, actor, reason));
  }

  /** Settles an effect in review. */
  public void settle(String effectId, Settlement settlement) {
    long number = effect(effectId).number();
    control.settle(
        number,
        settlement.decision(),
        settlement.result(),
        settlement.externalId(),
        settlement.reason(),
        settlement.actor(),
        settlement.seen());
  }

  /** Records by hand what a failed step should have done, and lets its run go on. */
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

  /** Messages to other systems. */
  public Outbox outbox() {
    return outbox;
  }

  /** Events from other systems. */
  public Inbox inbox() {
    return inbox;
  }

  /** What is started at nominal instants. */
  public Schedules schedules() {
    return schedules;
  }

  /** What the systems outside bear, and how they stand. */
  public Destinations destinations() {
    return new Destinations(engine.destinations(), options.tenant());
  }

  /** Where outside systems answer runs that wait for them. */
  public Callbacks callbacks() {
    return new Callbacks(waits, store, options.tenant());
  }

  /** Where people see what runs ask them, and decide. */
  public Approvals approvals() {
    return new Approvals(waits, store, options.tenant());
  }

  /** What is still remembered, until when and why, and what has gone. */
  public Retention retention() {
    return new Retention(this, store, options.tenant());
  }

  /** The durable map that the runs of this tenant share. */
  public Kv kv() {
    return kv;
  }

  /** Large values, stored once and passed by reference. */
  public Resources resources() {
    return resources;
  }

  /** A consistent copy of the live store, with all its tenants, in a new file. */
  public void backup(Path target) {
    refuseInPart("the whole store");
    store.backup(target, engine.clock().now());
  }

  /** The random number that tells this store from all others. */
  public long storeId() {
    return store.id();
  }

  /**
   * The times between the moment of a copy and the moment at which it took the place of its store:
   * what was done then is not in the store.
   */
  public List<Failover> restores() {
    return store.failovers().stream().filter(Failover::isRestore).toList();
  }

  /** When a person said that this store is a copy of another; null if it is none. */
  public @Nullable Instant copiedAt() {
    return store.copiedAt();
  }

  /**
   * Why this engine sends nothing: its store was restored or copied, and no person has said yet
   * what it is. Null if all is as usual.
   */
  public @Nullable Restored restored() {
    return engine.restored();
  }

  /**
   * Says what the restored store is, and lets its runs go on. As {@link Restoration#PRODUCTION}
   * what they send for the first time is in doubt, because they may have sent it before; as {@link
   * Restoration#COPY} too, and the store gets another identity.
   *
   * @throws IllegalStateException if the store was not restored
   */
  public void restore(Restoration as) {
    refuseInPart("the whole store");
    engine.restore(as);
  }

  boolean isInReview(Run run) {
    return control.isInReview(run);
  }

  /** The JSON text that an output is or refers to. */
  String valueOf(String output) {
    return engine.values().valueOf(options.tenant(), output);
  }

  Endings endings() {
    return engine.endings();
  }

  /**
   * Runs in memory are written out at their next step; all of them go on when the store is opened
   * again. Of a tenant's part nothing is closed: whoever opened the engine closes it.
   */
  @Override
  public void close() {
    if (opened != null) {
      return;
    }
    duplicates.flush();
    engine.close(options.closeWithin());
  }
}
