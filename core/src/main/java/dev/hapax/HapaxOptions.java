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
 * How an engine is opened.
 *
 * @param tenant who owns the keys, runs and effects of this engine's callers
 * @param mostInMemory how many runs may be in memory at once; more are accepted and wait on disk
 *     for their turn
 * @param closeWithin how long closing waits for runs to come to their next step
 * @param retentionOptions how long tombstones and events are remembered
 * @param ports the machine's clock, chance and threads
 * @param interceptor stands between the engine and the senders of effects
 * @param alerts what people are told of through the outbox; off unless it is given
 * @param clusterOptions with other nodes on one database
 * @param whenBroken hears once that the engine has closed itself, and why
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
   * How long it is remembered after its retention that a run or an effect was there; a year unless
   * it is given.
   */
  public HapaxOptions tombstoneLife(Duration time) {
    return retentionOptions(new RetentionOptions(time, retentionOptions.events()));
  }

  /**
   * How long the inbox remembers an event after it was received, at least 30 days: as long as its
   * source may send it again.
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

  /** Alerts go out through the outbox, to the courier of this destination; once each. */
  public HapaxOptions alerts(String destination, Alert... which) {
    return alerts(new Alerts(destination, Set.of(which), alerts.tooLong()));
  }

  /**
   * How long a callback or an approval may be waited for until {@link Alert#WAITING_TOO_LONG} goes
   * out; a day unless it is given.
   */
  public HapaxOptions waitingTooLong(Duration time) {
    return alerts(new Alerts(alerts.destination(), alerts.which(), time));
  }

  /**
   * How long other nodes wait for this one before they take its runs over, 15 seconds unless it is
   * given. A shorter one lets runs of a process that died go on sooner; a longer one survives
   * longer pauses and breaks of the network.
   */
  public HapaxOptions lease(Duration time) {
    return clusterOptions(
        new ClusterOptions(
            time, clusterOptions.failoversLoseNothing(), clusterOptions.sendsInCopy()));
  }

  /**
   * Says that every standby of the database that can take over has everything that was
   * acknowledged, as with synchronous replication that is never given up. Unless it is said, what
   * runs send after a failover for the first time counts as in doubt, because they may have sent it
   * before.
   */
  public HapaxOptions failoversLoseNothing(boolean nothing) {
    return clusterOptions(
        new ClusterOptions(clusterOptions.lease(), nothing, clusterOptions.sendsInCopy()));
  }

  /**
   * Lets the effects of this store be sent though it is a copy of another, such as production data
   * in staging. Until then every effect of a copy is not applied. The id is that of the copy,
   * {@link Hapax#storeId}: it is another one in every copy, so that the same options allow nothing
   * there.
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
   * Who hears that the engine can no longer work and has closed itself: its store broke, or one of
   * its own threads died. Close it and open the store again, or end the process. Called once, on a
   * thread of the engine.
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
