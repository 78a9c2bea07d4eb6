package dev.hapax.testkit.simulation;

import dev.hapax.flow.StoreFull;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.store.Batch;
import dev.hapax.store.Group;
import dev.hapax.store.Obstacle;
import dev.hapax.store.UnknownCommit;
import dev.hapax.testkit.memory.MemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The trouble that the calls of one node to its store meet: delays, refusals, locks, silence. */
final class StoreTrouble {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  /** Calls that are not reads where the store is real. */
  private static final Set<String> STARTING = Set.of("heartbeat", "newestAt");

  private final SimulatedNode node;
  private final SimulatedStore.Simulated with;
  private final MemoryCluster.@Nullable Node lease;
  private long fullUntil;
  private long cutUntil;
  private long lockedUntil;

  /**
   * Creates the trouble of this node.
   *
   * @param lease of a node that shares its store; null if it has the store alone
   */
  StoreTrouble(
      SimulatedNode node, SimulatedStore.Simulated with, MemoryCluster.@Nullable Node lease) {
    this.node = node;
    this.with = with;
    this.lease = lease;
  }

  void note(String call, long arguments) {
    with.trace().note(with.scheduler().nanos(), with.scheduler().who(), call, arguments);
  }

  <T extends @Nullable Object> T read(String call, long arguments, Supplier<T> read) {
    note(call, arguments);
    with.scheduler().pauseIn(node);
    meetErrors(call);
    while (with.scheduler().nanos() < cutUntil) {
      with.scheduler().block(node, Duration.ofNanos(cutUntil - with.scheduler().nanos()));
    }
    if (!with.scheduler().current().hearsRefusals || STARTING.contains(call)) {
      return read.get();
    }
    if (strikes(Fault.READ_REFUSED)) {
      throw new StoreUnavailable("simulated: the store cannot answer " + call, null);
    }
    if (!strikes(Fault.READ_SLOW)) {
      return read.get();
    }
    if (with.choices().below(2) == 1) {
      T before = read.get();
      with.scheduler().block(node, millis(60_000));
      return before;
    }
    with.scheduler().block(node, millis(60_000));
    return read.get();
  }

  /**
   * Throws Errors only in threads of the engine, and where a run is loaded: a body has its own
   * Errors.
   */
  void meetErrors(String call) {
    boolean isEngines = with.scheduler().current().isEngines() || call.equals("load");
    if (isEngines && with.scheduler().current().hearsRefusals && strikes(Fault.ENGINE_ERROR)) {
      throw with.choices().below(2) == 0
          ? new OutOfMemoryError("simulated, in " + call)
          : new NoClassDefFoundError("simulated, in " + call);
    }
  }

  /**
   * Cuts the connection: a remote store may be out of reach, and a caller gets no answer for long.
   */
  void beCut() {
    if (lease == null) {
      return;
    }
    if (strikes(Fault.CONNECTION_CUT)) {
      cutUntil = with.scheduler().nanos() + millis(120_000).toNanos();
    }
    Duration rest = Duration.ofNanos(cutUntil - with.scheduler().nanos());
    if (rest.isPositive()) {
      with.scheduler().block(node, rest.compareTo(LONGEST_SILENCE) < 0 ? rest : LONGEST_SILENCE);
      throw unknown("it never arrived");
    }
  }

  void beSlow() {
    if (strikes(Fault.STORE_SLOW)) {
      with.scheduler().block(node, millis(60_000));
    }
  }

  /** Lets a long transaction of another program hold one of the locks of this batch. */
  void lockSomething(Batch batch) {
    if (lease == null
        || batch.groups().isEmpty()
        || with.scheduler().nanos() < lockedUntil
        || !strikes(Fault.LOCK_KEPT_BY_ANOTHER)) {
      return;
    }
    Group group = batch.groups().get(with.choices().below(batch.groups().size()));
    List<Obstacle> locks = new ArrayList<>(Obstacle.before(group));
    locks.add(Obstacle.rowOf(group));
    Obstacle lock = locks.get(with.choices().below(locks.size()));
    Duration lasts = millis(120_000);
    lockedUntil = with.scheduler().nanos() + 2 * lasts.toNanos();
    with.scheduler().after(lasts, lease.lock(lock));
  }

  void beFull() {
    if (strikes(Fault.STORE_FULL)) {
      fullUntil = with.scheduler().nanos() + millis(7_200_000).toNanos();
    }
    if (with.scheduler().nanos() < fullUntil) {
      throw new StoreFull("simulated: no space", null);
    }
  }

  boolean strikes(Fault fault) {
    boolean now = with.swarm().strikes(fault);
    if (now) {
      with.trace().say(with.scheduler().nanos(), () -> node + " meets " + fault);
    }
    return now;
  }

  /** Returns a duration that is mostly short, sometimes as long as allowed. */
  Duration millis(int most) {
    int bound = with.choices().oneOf(10, 300, most);
    return Duration.ofMillis(1L + with.choices().below(bound));
  }

  static UnknownCommit unknown(String truth) {
    return new UnknownCommit(
        "simulated: the connection failed at commit; " + truth, new Exception());
  }
}
