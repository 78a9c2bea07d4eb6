package dev.hapax.testkit.memory;

import dev.hapax.flow.Failover;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Obstacle;
import dev.hapax.store.Store;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that several nodes share, with leases by its own clock, as in a database. One
 * lock around everything, so any thread may call it.
 */
public final class MemoryCluster {
  /** Few, so that a takeover needs several heartbeats. */
  private static final int MOST_ADOPTED = 10;

  private static final Duration SOON = Duration.ofMillis(10);

  private final FollowedStore followed = new FollowedStore();
  private final Supplier<Instant> clock;
  private final LeaseRule rule;
  private final List<Node> nodes = new ArrayList<>();
  private final OthersLocks locks = new OthersLocks();

  public MemoryCluster(Supplier<Instant> clock) {
    this(clock, LeaseRule.RIGHT);
  }

  /** Does the same, with leases that go by this rule. */
  public MemoryCluster(Supplier<Instant> clock, LeaseRule rule) {
    this.clock = clock;
    this.rule = rule;
  }

  /** Returns the store that all nodes write to; direct writes to it have no lease. */
  public Store store() {
    return new ForwardingStore() {
      @Override
      protected Store to() {
        return present();
      }

      @Override
      public List<GroupAnswer> commit(Batch batch) {
        synchronized (MemoryCluster.this) {
          return land(batch);
        }
      }

      @Override
      public long id() {
        return followed.id();
      }

      @Override
      public List<Failover> failovers() {
        return MemoryCluster.this.failovers();
      }
    };
  }

  private List<GroupAnswer> land(Batch batch) {
    return locks.commit(
        batch, followed.present(), free -> followed.write(store -> store.commit(free)));
  }

  /**
   * Begins a transaction of another program that holds this lock.
   *
   * @return ends the transaction
   */
  public synchronized Runnable lock(Obstacle lock) {
    locks.take(lock);
    return () -> {
      synchronized (MemoryCluster.this) {
        locks.giveBack(lock);
      }
    };
  }

  /** Adds a standby, before anything is written, that is so many writes behind. */
  public synchronized void follow(int writes) {
    followed.follow(writes);
  }

  /**
   * Lets the standby take over; returns how many writes are lost because it had not received them.
   */
  public synchronized int failOver() {
    return followed.failOver(clock.get());
  }

  private synchronized Store present() {
    return followed.present();
  }

  private synchronized List<Failover> failovers() {
    return followed.failovers();
  }

  /** Opens the store for one more process. */
  public synchronized Node join() {
    int mark = 0;
    while (isTaken(mark)) {
      mark++;
    }
    if (mark == IdSource.MOST_MARKS) {
      throw new IllegalStateException("there are too many nodes");
    }
    var node = new Node(mark);
    nodes.add(node);
    return node;
  }

  private boolean isTaken(int mark) {
    return nodes.stream().anyMatch(node -> node.mark == mark);
  }

  private boolean isGone(long owner, Instant now) {
    return nodes.stream()
        .filter(node -> rule.endsFirst() || !rule.isOver(node.expiresAt, now))
        .noneMatch(node -> node.owner != null && node.owner == owner);
  }

  /** One process's connection. */
  public final class Node extends ForwardingStore {
    private final int mark;
    private @Nullable Long owner;
    private Instant heldSince = clock.get();
    private Instant expiresAt = heldSince.plus(NodeReport.LEASE);
    private boolean hasOpenTransaction;

    private Node(int mark) {
      this.mark = mark;
    }

    @Override
    protected Store to() {
      return present();
    }

    @Override
    public List<Failover> failovers() {
      return MemoryCluster.this.failovers();
    }

    @Override
    public long id() {
      return followed.id();
    }

    @Override
    public int mark() {
      return mark;
    }

    /**
     * Opens or closes a transaction. While one is open the node's lease does not end, as in a
     * database, where that waits for the lock.
     */
    public void hasOpenTransaction(boolean open) {
      synchronized (MemoryCluster.this) {
        hasOpenTransaction = open;
      }
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      synchronized (MemoryCluster.this) {
        require(rule.letsWrite(nodes.contains(this)));
        return land(batch);
      }
    }

    /** Begins a transaction of another program; the returned action ends it. */
    public Runnable lock(Obstacle lock) {
      return MemoryCluster.this.lock(lock);
    }

    @Override
    public byte[] secretKey(byte[] fresh) {
      synchronized (MemoryCluster.this) {
        require(rule.letsWrite(nodes.contains(this)));
        return followed.write(store -> store.secretKey(fresh));
      }
    }

    @Override
    public void eraseSecretKey(byte[] known) {
      synchronized (MemoryCluster.this) {
        require(rule.letsWrite(nodes.contains(this)));
        followed.write(
            store -> {
              store.eraseSecretKey(known);
              return true;
            });
      }
    }

    @Override
    public HeartbeatReply heartbeat(NodeReport report) {
      synchronized (MemoryCluster.this) {
        require(rule.letsRenew(nodes.contains(this)));
        if (!nodes.contains(this)) {
          nodes.add(this);
        }
        Instant now = clock.get();
        heldSince = expiresAt.isBefore(now) ? now : heldSince;
        expiresAt = now.plus(report.lease());
        owner = report.owner();
        if (rule.endsFirst() && heldSince.isBefore(now.minus(report.lease()))) {
          nodes.removeIf(node -> endsAt(node, now));
        }
        int most = Math.min(report.room(), MOST_ADOPTED);
        Map<Long, Boolean> gone = new HashMap<>(); // the standby uses the present state
        List<Long> adopted =
            followed.write(
                store ->
                    store.adopt(
                        report,
                        former -> gone.computeIfAbsent(former, owner -> isGone(owner, now)),
                        most));
        return new HeartbeatReply(
            adopted.size() == MOST_ADOPTED ? SOON : report.lease().dividedBy(3),
            adopted,
            followed.present().canceled(report.owner()),
            followed.present().nextDue(null),
            nodes.size());
      }
    }

    private boolean endsAt(Node other, Instant now) {
      return other != this && rule.isOver(other.expiresAt, now) && !other.hasOpenTransaction;
    }

    private void require(boolean allowed) {
      if (!allowed) {
        throw new StoreBroken("this node has lost its lease", null);
      }
    }

    @Override
    public void close() {
      synchronized (MemoryCluster.this) {
        nodes.remove(this);
      }
    }
  }
}
