package dev.hapax;

import dev.hapax.engine.Alerts;
import dev.hapax.engine.ClusterOptions;
import dev.hapax.engine.RetentionOptions;
import dev.hapax.flow.CopySends;
import dev.hapax.flow.Interceptor;
import dev.hapax.flow.Names;
import dev.hapax.run.Alert;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Options for opening an engine.
 *
 * @param tenant owner of the keys, runs and effects of this engine's callers
 * @param mostInMemory how many runs may be in memory at once; further runs are accepted and wait on
 *     disk
 * @param closeWithin how long closing waits for runs to reach their next step
 * @param retentionOptions how long tombstones and events are remembered
 * @param ports the clock, random source and threads of the machine
 * @param interceptor is called around every sender of an effect
 * @param alerts which alerts are sent through the outbox; none by default
 * @param clusterOptions for several nodes on one database
 * @param whenBroken called once when the engine has closed itself, with the reason
 */
public record HapaxOptions(
    String tenant,
    int mostInMemory,
    Duration closeWithin,
    RetentionOptions retentionOptions,
    Ports ports,
    Interceptor interceptor,
    Alerts alerts,
    ClusterOptions clusterOptions,
    Consumer<RuntimeException> whenBroken) {
  public static final HapaxOptions DEFAULT =
      new HapaxOptions(
          "default",
          20_000,
          Duration.ofSeconds(10),
          RetentionOptions.DEFAULT,
          Ports.system(),
          Interceptor.NONE,
          Alerts.OFF,
          ClusterOptions.DEFAULT,
          _ -> {});

  public HapaxOptions {
    Names.key("a tenant", tenant);
    if (mostInMemory < 1) {
      throw new IllegalArgumentException("mostInMemory: expected 1 or more, got " + mostInMemory);
    }
  }

  public HapaxOptions tenant(String owner) {
    return new HapaxOptions(
        owner,
        mostInMemory,
        closeWithin,
        retentionOptions,
        ports,
        interceptor,
        alerts,
        clusterOptions,
        whenBroken);
  }

  public HapaxOptions mostInMemory(int runs) {
    return new HapaxOptions(
        tenant,
        runs,
        closeWithin,
        retentionOptions,
        ports,
        interceptor,
        alerts,
        clusterOptions,
        whenBroken);
  }

  public HapaxOptions closeWithin(Duration time) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        time,
        retentionOptions,
        ports,
        interceptor,
        alerts,
        clusterOptions,
        whenBroken);
  }

  /**
   * Sets how long the tombstone of a run or an effect is kept after its retention; a year by
   * default.
   */
  public HapaxOptions tombstoneLife(Duration time) {
    return retentionOptions(new RetentionOptions(time, retentionOptions.events()));
  }

  /**
   * Sets how long the inbox remembers an event after it was received, at least 30 days. Choose the
   * time for which sources may redeliver an event.
   */
  public HapaxOptions inboxLife(Duration time) {
    return retentionOptions(new RetentionOptions(retentionOptions.tombstones(), time));
  }

  private HapaxOptions retentionOptions(RetentionOptions memory) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        memory,
        ports,
        interceptor,
        alerts,
        clusterOptions,
        whenBroken);
  }

  public HapaxOptions ports(Ports machine) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        retentionOptions,
        machine,
        interceptor,
        alerts,
        clusterOptions,
        whenBroken);
  }

  public HapaxOptions interceptor(Interceptor between) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        retentionOptions,
        ports,
        between,
        alerts,
        clusterOptions,
        whenBroken);
  }

  /** Sends each of these alerts once, through the outbox, to the courier of this destination. */
  public HapaxOptions alerts(String destination, Alert... which) {
    return alerts(new Alerts(destination, Set.of(which), alerts.tooLong()));
  }

  /**
   * Sets how long a run may wait for a callback or an approval before {@link
   * Alert#WAITING_TOO_LONG} is sent; a day by default.
   */
  public HapaxOptions waitingTooLong(Duration time) {
    return alerts(new Alerts(alerts.destination(), alerts.which(), time));
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

  /**
   * Sets a listener for an engine that can no longer work and has closed itself: its store broke,
   * or one of its own threads died. Close the engine and open the store again, or end the process.
   * The listener is called once, on a thread of the engine.
   */
  public HapaxOptions whenBroken(Consumer<RuntimeException> listener) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        retentionOptions,
        ports,
        interceptor,
        alerts,
        clusterOptions,
        listener);
  }

  private HapaxOptions clusterOptions(ClusterOptions others) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        retentionOptions,
        ports,
        interceptor,
        alerts,
        others,
        whenBroken);
  }

  private HapaxOptions alerts(Alerts told) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        retentionOptions,
        ports,
        interceptor,
        told,
        clusterOptions,
        whenBroken);
  }
}
