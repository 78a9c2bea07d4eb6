package dev.hapax.engine.tests;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.RunHandle;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Flow;
import dev.hapax.store.Batch;
import dev.hapax.store.Change;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** Two engines over one store, whose connections can be cut. */
@SuppressWarnings("MemberName") // the names of tests are sentences
abstract class TwoNodesTest extends EngineTest {
  static final Duration LEASE = Duration.ofSeconds(12);
  static final Duration SECOND = Duration.ofSeconds(1);

  /** The database's clock, which moves apart from that of the nodes. */
  final AtomicReference<Instant> database = new AtomicReference<>(Instant.EPOCH);

  final MemoryCluster cluster = new MemoryCluster(database::get);
  final Node one = new Node(HapaxOptions.DEFAULT);
  final Node two = new Node(HapaxOptions.DEFAULT);

  /** A process: its connection can be cut, and then nothing of it reaches the store. */
  final class Node extends ForwardingStore {
    final Store connection = cluster.join();
    final AtomicInteger heartbeats = new AtomicInteger();
    volatile boolean isCut;
    volatile Consumer<Change> beforeCommit = _ -> {};
    final Hapax hapax;

    Node(HapaxOptions options) {
      this.hapax =
          Hapax.open(this, options.ports(time.ports()).lease(LEASE).closeWithin(Duration.ZERO));
    }

    @Override
    protected Store to() {
      if (isCut) {
        throw new UnknownCommit("the connection is cut", new Exception());
      }
      return connection;
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      batch.groups().forEach(group -> group.changes().forEach(beforeCommit));
      return to().commit(batch);
    }

    @Override
    public List<Failover> failovers() {
      return connection.failovers(); // what it knows it knows without its connection
    }

    @Override
    public HeartbeatReply heartbeat(NodeReport report) {
      HeartbeatReply heard = to().heartbeat(report);
      heartbeats.incrementAndGet();
      return heard;
    }

    @Override
    public void close() {
      connection.close();
    }

    void beatOnce() {
      int before = heartbeats.get();
      moveUntil(SECOND, () -> heartbeats.get() > before);
    }
  }

  @AfterEach
  void closeNodes() {
    one.isCut = false;
    two.isCut = false;
    one.hapax.close();
    two.hapax.close();
  }

  void registerAtBoth(Flow<?, ?> flow) {
    one.hapax.register(flow);
    two.hapax.register(flow);
  }

  /** Its body blocks, so that it is durable only after a moment. */
  RunHandle<Receipt> start(Node node, Flow<Order, Receipt> flow) {
    var started = CompletableFuture.supplyAsync(() -> node.hapax.start(flow, order("A-1")));
    moveUntil(Duration.ofMillis(10), started::isDone);
    return started.join();
  }

  /** What the run has come to, while time goes on. */
  CompletableFuture<Receipt> endOf(RunHandle<Receipt> run) {
    CompletableFuture<Receipt> end = CompletableFuture.supplyAsync(run::await);
    moveUntil(Duration.ofMillis(100), end::isDone);
    return end;
  }

  /** Time passes for the database, and only this node sends heartbeats. */
  void onlyBeats(Node node) {
    for (int i = 0; i < 12; i++) {
      database.updateAndGet(now -> now.plus(LEASE.dividedBy(4)));
      node.beatOnce();
    }
  }
}
