package dev.hapax.engine;

import dev.hapax.effect.LeaseTerm;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.parts.ThreadGuard;
import dev.hapax.engine.replay.StepJournal;
import dev.hapax.engine.writing.Endings;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.Committer;
import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews this node's lease and learns what other nodes have done; nodes know each other only
 * through the store. If several nodes can use the store, it runs on its own thread. Otherwise the
 * node reports once, at the start.
 */
final class Heartbeat {
  private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

  /** How often to look for the end of a run that is awaited here and runs on another node. */
  private static final Duration LOOK_FOR_ENDS = Duration.ofMillis(100);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final Store store;
  private final Committer committer;
  private final LeaseTerm term;
  private final Endings endings;
  private final Clock clock;
  private final Threads threads;
  private final long owner;
  private final Duration lease;
  private final Node node;
  private final ThreadGuard guard;
  private volatile boolean isShared;
  private volatile boolean closing;
  private volatile boolean askedFor;
  private volatile @Nullable Signal sleeping;
  private long nextNanos;
  private int failovers;
  private long sharesFrom;
  private boolean recalls;
  private boolean hadAdopted;
  private volatile boolean isRecall;

  /** The node that receives what the heartbeat learns. */
  interface Node {
    /** Whether the engine is closed because something broke; the lease then ends. */
    boolean isBroken();

    /** How many more runs fit into memory. */
    int room();

    /** Whether the run has a place in this node's memory. */
    boolean isHere(long run);

    /** Takes up this run. */
    void wake(long run);

    /**
     * Takes up runs that were in the memory of a process that is gone.
     *
     * @param isWhole whether these are probably all that it had
     * @param isRecall whether runs that were this node's before are among them
     */
    void adopted(List<Long> runs, boolean isWhole, boolean isRecall);

    /** Stops this run, which is here, because its cancel was requested. */
    void stop(long run);

    /** The first run without an owner is due at this time, or was. */
    void due(Instant at);

    /** The node has reported, and knows what others say about a restored store. */
    void reported();

    /** This many nodes share rates; this one uses none before that time (monotonic clock). */
    void shares(int nodes, long from);
  }

  Heartbeat(EngineParts parts, LeaseTerm term, Duration lease, Node node) {
    this.store = parts.store();
    this.committer = parts.committer();
    this.term = term;
    this.endings = parts.endings();
    this.clock = parts.clock();
    this.threads = parts.threads();
    this.owner = parts.owner();
    this.lease = lease;
    this.node = node;
    this.guard = parts.guard();
  }

  /** Whether other nodes can use the store. */
  boolean isShared() {
    return isShared;
  }

  /**
   * Starts the heartbeat. If the store is shared, nothing is adopted yet: the code of the flows is
   * registered later, and another node may have it already.
   */
  void start() {
    HeartbeatReply first = heartbeat(new NodeReport(owner, lease, 0, false));
    // A store that is not shared gives all its runs at once, however much room there is.
    isShared = first.again() != null;
    sharesFrom = clock.nanos() + (first.nodes() > 1 ? certainFor(lease).toNanos() : 0);
    failovers = store.failovers().size();
    isRecall = false; // this node had none before
    hear(first, true);
    if (isShared) {
      term.renewedBy(this::soon);
      endings.whenAwaited(this::look);
      guard.virtual("hapax-heartbeat", this::loop);
    }
  }

  /** A restored store may now be used: takes up the runs that were in memory before. */
  void startAgain() {
    if (isShared) {
      soon();
    } else {
      hear(heartbeat(new NodeReport(owner, lease, node.room(), true)), false);
    }
  }

  /** Stops renewing the lease. Groups under way end when the committer does. */
  void close() {
    closing = true;
    term.lost(new StoreClosed());
    look();
  }

  /**
   * Renews the lease of a node that is closed, and writes nothing else.
   *
   * @param isUnderWay waits up to this long for what the lease is kept for; false if it is over
   */
  void keepLeaseWhile(Predicate<Duration> isUnderWay) {
    var report = new NodeReport(owner, lease, 0, false);
    while (isUnderWay.test(Duration.ofNanos(Math.max(0, nextNanos - clock.nanos())))) {
      if (nextNanos - clock.nanos() > 0) {
        continue; // one of several has returned
      }
      try {
        Duration again = store.heartbeat(report).again();
        nextNanos = clock.nanos() + (again == null ? lease : again).toNanos();
      } catch (StoreBroken | StoreClosed e) {
        log.warn("the lease is lost; other nodes continue the runs of this node", e);
        return;
      } catch (RuntimeException e) {
        log.warn("the lease could not be renewed; this node tries again", e);
        nextNanos = clock.nanos() + AFTER_FAILURE.toNanos();
      }
    }
  }

  private void soon() {
    askedFor = true;
    look();
  }

  private void look() {
    Signal signal = sleeping;
    if (signal != null) {
      signal.raise();
    }
  }

  private void loop() {
    try {
      while (!closing && !node.isBroken()) {
        beatInTime();
      }
    } catch (StoreClosed e) {
      log.debug("the heartbeat of this node has ended: {}", e.getMessage());
    }
  }

  private void beatInTime() {
    Signal signal = threads.signal();
    sleeping = signal;
    List<Long> elsewhere = awaitedElsewhere();
    long rest = Math.max(0, nextNanos - clock.nanos());
    if (!askedFor && !closing && rest > 0) {
      long pause = elsewhere.isEmpty() ? rest : Math.min(rest, LOOK_FOR_ENDS.toNanos());
      signal.await(Duration.ofNanos(pause));
    }
    try {
      if (askedFor || nextNanos - clock.nanos() <= 0) {
        askedFor = false;
        int room = node.room();
        HeartbeatReply heard = heartbeat(new NodeReport(owner, lease, room, recalls));
        hear(heard, room > 1 && !recalls && !hadAdopted);
        hadAdopted = !heard.adopted().isEmpty();
        recallAfterFailover();
        node.reported();
      }
      tellEnds(elsewhere);
    } catch (StoreUnavailable e) {
      log.warn("the heartbeat of this node failed; it is tried again: {}", e.getMessage());
      nextNanos = clock.nanos() + AFTER_FAILURE.toNanos();
    }
  }

  /** Takes up runs that belong to this node and have no place here: their thread is lost. */
  void sweep() {
    HeartbeatReply heard = heartbeat(new NodeReport(owner, lease, node.room(), true));
    List<Long> orphans = heard.adopted().stream().filter(run -> !node.isHere(run)).toList();
    if (!orphans.isEmpty()) {
      log.warn("{} runs of this process had lost their thread; they continue", orphans.size());
    }
    orphans.forEach(node::wake);
    heard.canceled().forEach(node::stop);
    if (heard.nextDue() != null) {
      node.due(heard.nextDue());
    }
  }

  /**
   * After a failover, a run that this node has ended, or does not know, may belong to it and be
   * under way on the new server. The node asks for all of them once.
   */
  private void recallAfterFailover() {
    int seen = store.failovers().size();
    recalls = seen != failovers;
    failovers = seen;
    if (recalls) {
      askedFor = true;
    }
  }

  /** Reports between two batches, so that it never delays a commit, nor waits behind many. */
  private HeartbeatReply heartbeat(NodeReport report) {
    return committer.between(
        isAgain -> {
          isRecall = isAgain || report.recall();
          var renewal = term.renewal();
          HeartbeatReply heard = store.heartbeat(isAgain ? recalling(report) : report);
          Duration again = heard.again();
          if (again != null) {
            renewal.holdsFor(certainFor(report.lease()));
            nextNanos = clock.nanos() + again.toNanos();
          }
          return heard;
        });
  }

  /**
   * The part of a lease that is certain. A new node uses no rate for this time. After it, every
   * other node either knows that there is one more node, or sends nothing.
   */
  private static Duration certainFor(Duration lease) {
    return lease.multipliedBy(2).dividedBy(3);
  }

  private static NodeReport recalling(NodeReport report) {
    return new NodeReport(report.owner(), report.lease(), report.room(), true);
  }

  private void hear(HeartbeatReply heard, boolean isWhole) {
    if (!heard.adopted().isEmpty()) {
      log.info(
          "{} runs were in the memory of a process that has ended; they continue from their journals",
          heard.adopted().size());
    }
    node.shares(heard.nodes(), sharesFrom);
    node.adopted(heard.adopted(), isWhole && !isRecall, isRecall);
    heard.canceled().forEach(node::stop);
    if (heard.nextDue() != null) {
      node.due(heard.nextDue());
    }
  }

  // ---- ends of runs that other nodes carry out

  private List<Long> awaitedElsewhere() {
    return endings.awaited().stream().filter(run -> !node.isHere(run)).toList();
  }

  private void tellEnds(List<Long> awaited) {
    if (awaited.isEmpty()) {
      return;
    }
    Set<Long> gone = new HashSet<>(awaited);
    for (Run run : store.runs(awaited)) {
      gone.remove(run.number());
      if (run.status().isEnd()) {
        endings.tell(run.number(), new Endings.Result(run.status(), run.output(), run.error()));
      } else if (StepJournal.isInReview(run, store)) {
        endings.tell(run.number(), new Endings.Result(RunStatus.REVIEW, null, null));
      }
    }
    // A caller that gets this result looks for itself, and finds that the run was deleted.
    gone.forEach(run -> endings.tell(run, new Endings.Result(RunStatus.FAILED, null, null)));
  }
}
