package dev.hapax;

import dev.hapax.engine.ClusterOptions;
import dev.hapax.engine.Engine;
import dev.hapax.engine.RetentionOptions;
import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.parts.Alerts;
import dev.hapax.engine.parts.StoreTokenKeys;
import dev.hapax.engine.parts.SuppliedTokenKey;
import dev.hapax.export.RecordFolder;
import dev.hapax.flow.Alert;
import dev.hapax.flow.CopySends;
import dev.hapax.flow.FlowAlerts;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Names;
import dev.hapax.flow.PortsHandle;
import dev.hapax.flow.RecordExport;
import dev.hapax.flow.TenantLimits;
import dev.hapax.flow.TokenKeys;
import dev.hapax.limit.ValueMemory;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Options for opening an engine: begin with {@link #DEFAULT} and change what you need. Each method
 * returns a changed copy.
 */
public final class HapaxOptions {
  public static final HapaxOptions DEFAULT = new HapaxOptions(new Draft());

  private final String tenant;
  private final int mostInMemory;
  private final Duration closeWithin;
  private final RetentionOptions retentionOptions;
  private final Ports ports;
  private final Interceptor interceptor;
  private final Alerts alerts;
  private final ClusterOptions clusterOptions;
  private final BiFunction<Store, Ports, TokenKeys> tokenKeys;
  private final TenantLimits tenantLimits;
  private final Consumer<RuntimeException> whenBroken;
  private final long nodeBytes;
  private final long runBytes;

  /** The values of options that are being made. */
  private static final class Draft {
    private String tenant = "default";
    private int mostInMemory = 20_000;
    private Duration closeWithin = Duration.ofSeconds(10);
    private RetentionOptions retentionOptions = RetentionOptions.DEFAULT;
    private Ports ports = Ports.system();
    private Interceptor interceptor = Interceptor.NONE;
    private Alerts alerts = Alerts.OFF;
    private ClusterOptions clusterOptions = ClusterOptions.DEFAULT;
    private BiFunction<Store, Ports, TokenKeys> tokenKeys =
        (store, ports) -> new StoreTokenKeys(store, ports.random());
    private TenantLimits tenantLimits = TenantLimits.NONE;
    private Consumer<RuntimeException> whenBroken = _ -> {};
    private long nodeBytes = ValueMemory.usual();
    private long runBytes = Long.MAX_VALUE;
  }

  private HapaxOptions(Draft draft) {
    Names.key("a tenant", draft.tenant);
    if (draft.mostInMemory < 1) {
      throw new IllegalArgumentException(
          "mostInMemory: expected 1 or more, got " + draft.mostInMemory);
    }
    this.tenant = draft.tenant;
    this.mostInMemory = draft.mostInMemory;
    this.closeWithin = draft.closeWithin;
    this.retentionOptions = draft.retentionOptions;
    this.ports = draft.ports;
    this.interceptor = draft.interceptor;
    this.alerts = draft.alerts;
    this.clusterOptions = draft.clusterOptions;
    this.tokenKeys = draft.tokenKeys;
    this.tenantLimits = draft.tenantLimits;
    this.whenBroken = draft.whenBroken;
    this.nodeBytes = atLeastOne("nodeBytes", draft.nodeBytes);
    this.runBytes = atLeastOne("runBytes", draft.runBytes);
  }

  private static long atLeastOne(String name, long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("%s: expected 1 or more, got %d".formatted(name, bytes));
    }
    return bytes;
  }

  private HapaxOptions with(Consumer<Draft> change) {
    var draft = new Draft();
    draft.tenant = tenant;
    draft.mostInMemory = mostInMemory;
    draft.closeWithin = closeWithin;
    draft.retentionOptions = retentionOptions;
    draft.ports = ports;
    draft.interceptor = interceptor;
    draft.alerts = alerts;
    draft.clusterOptions = clusterOptions;
    draft.tokenKeys = tokenKeys;
    draft.tenantLimits = tenantLimits;
    draft.whenBroken = whenBroken;
    draft.nodeBytes = nodeBytes;
    draft.runBytes = runBytes;
    change.accept(draft);
    return new HapaxOptions(draft);
  }

  /**
   * Sets the owner of the keys, runs and effects of this engine's callers; {@code default} if none
   * is set.
   */
  public HapaxOptions tenant(String owner) {
    return with(draft -> draft.tenant = owner);
  }

  /** Sets how many runs may be in memory at once. Further runs are accepted and wait on disk. */
  public HapaxOptions mostInMemory(int runs) {
    return with(draft -> draft.mostInMemory = runs);
  }

  /**
   * Sets how much memory the inputs and results of all runs in memory may take together; a quarter
   * of the heap by default. A run that needs more leaves memory, and continues from its journal
   * when there is room. None fails because of it.
   */
  public HapaxOptions nodeBytes(long bytes) {
    return with(draft -> draft.nodeBytes = bytes);
  }

  /**
   * Sets how much memory the input and results of a single run may take together; no limit by
   * default. A step whose result would exceed it fails with {@code value-too-large}.
   */
  public HapaxOptions runBytes(long bytes) {
    return with(draft -> draft.runBytes = bytes);
  }

  /** Sets how long closing waits for runs to reach their next step; 10 seconds by default. */
  public HapaxOptions closeWithin(Duration time) {
    return with(draft -> draft.closeWithin = time);
  }

  /**
   * Sets how long the tombstone of a run or an effect is kept after its retention; a year by
   * default.
   */
  public HapaxOptions tombstoneLife(Duration time) {
    return retentionOptions(
        new RetentionOptions(time, retentionOptions.events(), retentionOptions.export()));
  }

  /**
   * Sets how long the inbox remembers an event after it was received, at least 30 days. Choose the
   * time for which sources may redeliver an event.
   */
  public HapaxOptions inboxLife(Duration time) {
    return retentionOptions(
        new RetentionOptions(retentionOptions.tombstones(), time, retentionOptions.export()));
  }

  /**
   * Writes every run, effect and event as lines of JSON into files of this folder before it is
   * deleted. Nothing is deleted that could not be written.
   */
  public HapaxOptions exportDeleted(Path folder) {
    return exportDeleted(RecordFolder.at(folder));
  }

  /**
   * Writes every run, effect and event somewhere else before it is deleted. Nothing is deleted that
   * could not be written. The engine closes it.
   */
  public HapaxOptions exportDeleted(RecordExport to) {
    return retentionOptions(
        new RetentionOptions(retentionOptions.tombstones(), retentionOptions.events(), to));
  }

  private HapaxOptions retentionOptions(RetentionOptions memory) {
    return with(draft -> draft.retentionOptions = memory);
  }

  /**
   * Replaces the clock, the random source and the threads of the machine, for simulations and
   * tests.
   */
  public HapaxOptions ports(PortsHandle machine) {
    if (!(machine instanceof Ports replaced)) {
      throw new IllegalArgumentException("ports: expected dev.hapax.time.Ports, got " + machine);
    }
    return with(draft -> draft.ports = replaced);
  }

  /** Sets code that is called around every sender of an effect. */
  public HapaxOptions interceptor(Interceptor between) {
    return with(draft -> draft.interceptor = between);
  }

  /** Sends each of these alerts once, through the outbox, to the courier of this destination. */
  public HapaxOptions alerts(String destination, Alert... which) {
    return alerts(alerts.to(destination, which));
  }

  /**
   * Limits the alerts above to flows of some tenants; by default they are about all. A flow of
   * another tenant has only the alerts that it asks for itself.
   */
  public HapaxOptions alertsOf(Predicate<String> tenants) {
    return alerts(alerts.of(tenants));
  }

  /**
   * Says which alerts a tenant asks for, for all its flows, beside those above; null for none. It
   * is asked often, from many threads, and must answer at once and from memory. The alerts of a
   * flow itself come first.
   */
  public HapaxOptions alertsOfTenants(Function<String, @Nullable FlowAlerts> asked) {
    return alerts(alerts.ofTenants(asked));
  }

  /**
   * Sets how long a run may wait for a callback or an approval before {@link
   * Alert#WAITING_TOO_LONG} is sent; a day by default.
   */
  public HapaxOptions waitingTooLong(Duration time) {
    return alerts(alerts.tooLong(time));
  }

  /**
   * Sets how long other nodes wait for this node before they take over its runs; 15 seconds by
   * default. With a shorter lease, the runs of a dead process continue sooner. A longer lease
   * survives longer pauses and network failures.
   */
  public HapaxOptions lease(Duration time) {
    return clusterOptions(
        new ClusterOptions(
            time, clusterOptions.failoversLoseNothing(), clusterOptions.sendsInCopy()));
  }

  /**
   * Declares that every standby of the database that can take over has everything that was
   * acknowledged, as with synchronous replication that is never switched off. Otherwise, effects
   * that runs send for the first time after a failover are in doubt, because they may have been
   * sent before.
   */
  public HapaxOptions failoversLoseNothing(boolean nothing) {
    return clusterOptions(
        new ClusterOptions(clusterOptions.lease(), nothing, clusterOptions.sendsInCopy()));
  }

  /**
   * Allows a store that is a copy, such as production data in staging, to send its effects. By
   * default, every effect of a copy is not applied. The id is that of the copy, {@link
   * Hapax#storeId}. Every copy has its own id, so the same options allow nothing in another copy.
   */
  public HapaxOptions sendsInCopy(long storeId) {
    return sendsInCopy((store, _, _) -> store == storeId);
  }

  /** As above, by a rule. */
  public HapaxOptions sendsInCopy(CopySends rule) {
    return clusterOptions(
        new ClusterOptions(clusterOptions.lease(), clusterOptions.failoversLoseNothing(), rule));
  }

  /** Sets a rule by which the work of some tenants waits; no tenant waits by default. */
  public HapaxOptions tenantLimits(TenantLimits rule) {
    return with(draft -> draft.tenantLimits = rule);
  }

  /**
   * Sets the secret key of callback and approval tokens, at least 32 random bytes that you keep
   * outside the database. Without it, the store makes a key and keeps it <em>unsealed</em> in the
   * database: anyone who can read the database or a backup of it can then forge answers to the runs
   * that wait. Tokens that were handed out before stay valid until you call {@link
   * Hapax#eraseTokenKeyOfStore}. All nodes need the same key.
   */
  public HapaxOptions tokenKey(byte[] key) {
    if (key.length < SuppliedTokenKey.SHORTEST) {
      throw new IllegalArgumentException(
          "tokenKey: expected %d random bytes or more, got %d"
              .formatted(SuppliedTokenKey.SHORTEST, key.length));
    }
    byte[] copy = key.clone();
    return with(draft -> draft.tokenKeys = (store, _) -> new SuppliedTokenKey(copy, store));
  }

  /** As above, with several keys, so that they can be replaced and revoked. */
  public HapaxOptions tokenKeys(TokenKeys keys) {
    return with(draft -> draft.tokenKeys = (_, _) -> keys);
  }

  /**
   * Sets a listener for an engine that can no longer work and has closed itself: its store broke,
   * or one of its own threads died. Close the engine and open the store again, or end the process.
   * The listener is called once, on a thread of the engine.
   */
  public HapaxOptions whenBroken(Consumer<RuntimeException> listener) {
    return with(draft -> draft.whenBroken = listener);
  }

  private HapaxOptions clusterOptions(ClusterOptions others) {
    return with(draft -> draft.clusterOptions = others);
  }

  private HapaxOptions alerts(Alerts told) {
    return with(draft -> draft.alerts = told);
  }

  public String tenant() {
    return tenant;
  }

  public int mostInMemory() {
    return mostInMemory;
  }

  public Duration closeWithin() {
    return closeWithin;
  }

  RetentionOptions retentionOptions() {
    return retentionOptions;
  }

  Ports ports() {
    return ports;
  }

  public Interceptor interceptor() {
    return interceptor;
  }

  public Consumer<RuntimeException> whenBroken() {
    return whenBroken;
  }

  /** Makes an engine with these options, which is not started yet. */
  Engine engineOn(Store store) {
    return new Engine(
        store,
        new FlowRegistry(),
        ports,
        interceptor,
        alerts.operator(tenant),
        mostInMemory,
        new ValueMemory(nodeBytes, runBytes),
        retentionOptions,
        clusterOptions,
        tokenKeys.apply(store, ports),
        tenantLimits,
        whenBroken);
  }
}
