package dev.hapax;

import dev.hapax.engine.Alerts;
import dev.hapax.engine.Keeping;
import dev.hapax.engine.Sharing;
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
 * @param keeping how long tombstones and events are remembered
 * @param ports the machine's clock, chance and threads
 * @param interceptor stands between the engine and the senders of effects
 * @param alerts what people are told of through the outbox; off unless it is given
 * @param sharing with other nodes on one database
 * @param whenBroken hears once that the engine has closed itself, and why
 */
public record HapaxOptions(
    String tenant,
    int mostInMemory,
    Duration closeWithin,
    Keeping keeping,
    Ports ports,
    Interceptor interceptor,
    Alerts alerts,
    Sharing sharing,
    Consumer<RuntimeException> whenBroken) {
  public static final HapaxOptions DEFAULT =
      new HapaxOptions(
          "default",
          20_000,
          Duration.ofSeconds(10),
          Keeping.DEFAULT,
          Ports.system(),
          Interceptor.NONE,
          Alerts.OFF,
          Sharing.DEFAULT,
          _ -> {});

  public HapaxOptions {
    Names.key("a tenant", tenant);
    if (mostInMemory < 1) {
      throw new IllegalArgumentException("mostInMemory: expected 1 or more, got " + mostInMemory);
    }
  }

  public HapaxOptions tenant(String owner) {
    return new HapaxOptions(
        owner, mostInMemory, closeWithin, keeping, ports, interceptor, alerts, sharing, whenBroken);
  }

  public HapaxOptions mostInMemory(int runs) {
    return new HapaxOptions(
        tenant, runs, closeWithin, keeping, ports, interceptor, alerts, sharing, whenBroken);
  }

  public HapaxOptions closeWithin(Duration time) {
    return new HapaxOptions(
        tenant, mostInMemory, time, keeping, ports, interceptor, alerts, sharing, whenBroken);
  }

  /**
   * How long it is remembered after its retention that a run or an effect was there; a year unless
   * it is given.
   */
  public HapaxOptions tombstoneLife(Duration time) {
    return keeping(new Keeping(time, keeping.events()));
  }

  /**
   * How long the inbox remembers an event after it was received, at least 30 days: as long as its
   * source may send it again.
   */
  public HapaxOptions inboxLife(Duration time) {
    return keeping(new Keeping(keeping.tombstones(), time));
  }

  private HapaxOptions keeping(Keeping memory) {
    return new HapaxOptions(
        tenant, mostInMemory, closeWithin, memory, ports, interceptor, alerts, sharing, whenBroken);
  }

  public HapaxOptions ports(Ports machine) {
    return new HapaxOptions(
        tenant,
        mostInMemory,
        closeWithin,
        keeping,
        machine,
        interceptor,
        alerts,
        sharing,
        whenBroken);
  }

  public HapaxOptions interceptor(Interceptor between) {
    return new HapaxOptions(
        tenant, mostInMemory, closeWithin, keeping, ports, between, alerts, sharing, whenBroken);
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
    return sharing(new Sharing(time, sharing.failoversLoseNothing(), sharing.sendsInCopy()));
  }

  /**
   * Says that every standby of the database that can take over has everything that was
   * acknowledged, as with synchronous replication that is never given up. Unless it is said, what
   * runs send after a failover for the first time counts as in doubt, because they may have sent it
   * before.
   */
  public HapaxOptions failoversLoseNothing(boolean nothing) {
    return sharing(new Sharing(sharing.lease(), nothing, sharing.sendsInCopy()));
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
    return sharing(new Sharing(sharing.lease(), sharing.failoversLoseNothing(), rule));
  }

  /**
   * Who hears that the engine can no longer work and has closed itself: its store broke, or one of
   * its own threads died. Close it and open the store again, or end the process. Called once, on a
   * thread of the engine.
   */
  public HapaxOptions whenBroken(Consumer<RuntimeException> listener) {
    return new HapaxOptions(
        tenant, mostInMemory, closeWithin, keeping, ports, interceptor, alerts, sharing, listener);
  }

  private HapaxOptions sharing(Sharing others) {
    return new HapaxOptions(
        tenant, mostInMemory, closeWithin, keeping, ports, interceptor, alerts, others, whenBroken);
  }

  private HapaxOptions alerts(Alerts told) {
    return new HapaxOptions(
        tenant, mostInMemory, closeWithin, keeping, ports, interceptor, told, sharing, whenBroken);
  }
}
