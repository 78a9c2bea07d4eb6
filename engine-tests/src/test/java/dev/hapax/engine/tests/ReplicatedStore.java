package dev.hapax.engine.tests;

import dev.hapax.flow.Failover;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A store with a standby that follows it until a test stops that: what is acknowledged from then on
 * is lost when the standby takes over. One lock around everything that writes.
 */
final class ReplicatedStore extends ForwardingStore {
  private final Supplier<Instant> clock;
  private final Store standby = new MemoryStore();
  private volatile Store present = new MemoryStore();
  private final List<Failover> failovers = new ArrayList<>();
  private boolean follows = true;
  private Instant lostSince = Instant.MAX;

  ReplicatedStore(Supplier<Instant> clock) {
    this.clock = clock;
  }

  /** The standby hears nothing from now on. */
  synchronized void stopFollowing() {
    follows = false;
    lostSince = clock.get();
  }

  /** The standby takes over with what it has. */
  synchronized void failOver() {
    if (follows) {
      stopFollowing();
    }
    present = standby;
    failovers.add(new Failover(lostSince, clock.get()));
  }

  @Override
  protected Store to() {
    return present;
  }

  @Override
  public synchronized List<Failover> failovers() {
    return List.copyOf(failovers);
  }

  @Override
  public synchronized List<GroupAnswer> commit(Batch batch) {
    if (follows) {
      standby.commit(batch);
    }
    return present.commit(batch);
  }

  @Override
  public synchronized HeartbeatReply heartbeat(NodeReport report) {
    if (follows) {
      standby.heartbeat(report);
    }
    return present.heartbeat(report);
  }

  @Override
  public synchronized byte[] secretKey(byte[] fresh) {
    standby.secretKey(fresh);
    return present.secretKey(fresh);
  }

  @Override
  public synchronized void eraseSecretKey(byte[] known) {
    standby.eraseSecretKey(known);
    present.eraseSecretKey(known);
  }

  @Override
  public void close() {}
}
