package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.HapaxOptions;
import dev.hapax.flow.Alert;
import dev.hapax.flow.Flow;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.Store;
import dev.hapax.time.Ports;
import dev.hapax.time.RandomSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A machine on which nodes are started one after the other. Each start is a separate {@link
 * SimulatedNode}, with new threads and no memory. The clock belongs to the machine, and the store
 * outlives all nodes.
 */
final class Machine {
  private static final Duration TOO_LONG = Duration.ofMinutes(5);

  private static final int MOST_IN_MEMORY = 3;

  /**
   * For values: less than three runs have, so that they leave memory in the middle of their work.
   */
  private static final long LITTLE_MEMORY = 2_000;

  private static final long MUCH_MEMORY = 1 << 30;

  /** In parts per million: as fast as systems slew their clocks. */
  private static final int MOST_DRIFT = 500;

  /** The clocks of several machines are kept together. */
  private static final int MOST_DRIFT_AMONG_OTHERS = 50;

  private final String name;
  private final int number;
  private final Supplier<Store> connections;
  private final SimulatedStore.Simulated with;
  private List<? extends Flow<?, ?>> flows = List.of();
  private HapaxOptions terms = HapaxOptions.DEFAULT;
  private Consumer<Hapax> whenStarted = _ -> {};
  private Consumer<Hapax> whenOpened = _ -> {};
  private final Mutation mutation;
  private final SimulatedClock clock;
  private int starts;

  /** How often the store was opened: each opening shuts out the earlier ones. */
  private int epoch;

  private @Nullable SimulatedNode node;
  private @Nullable Ports ports;
  private @Nullable SimulatedStore connection;
  private @Nullable Hapax hapax;

  /**
   * Creates one of several machines, or the only one.
   *
   * @param number by which the process starts of machines differ
   * @param connections to the store, one for each start
   */
  Machine(
      int number, Supplier<Store> connections, SimulatedStore.Simulated with, Mutation mutation) {
    this.name = number == 0 ? "node" : "node" + number + "-";
    this.number = number;
    this.connections = connections;
    this.with = with;
    this.mutation = mutation;
    this.clock = new SimulatedClock(with.scheduler());
  }

  /** Returns the engine that runs here; null while there is none. */
  @Nullable Hapax hapax() {
    return hapax;
  }

  SimulatedClock clock() {
    return clock;
  }

  /** Sets how long its runs stay its own when it does not answer. */
  void lease(Duration time) {
    terms = terms.lease(time);
  }

  /** Makes nodes that start from now on send every kind of alert. */
  void alertTo(String destination) {
    terms = terms.alerts(destination, Alert.values()).waitingTooLong(TOO_LONG);
  }

  /** Sets an action for when a node has started and no run is under way yet. */
  void whenStarted(Consumer<Hapax> first) {
    whenStarted = first;
  }

  /** Runs nodes with this code, and an action for when one has started. */
  void run(List<? extends Flow<?, ?>> code, Consumer<Hapax> andThen) {
    flows = code;
    whenOpened = andThen;
    start();
  }

  /** As {@link #run}, at once or later. */
  void join(List<? extends Flow<?, ?>> code, Consumer<Hapax> andThen) {
    flows = code;
    whenOpened = andThen;
    if (with.choices().below(3) == 1) {
      with.scheduler().after(soon(), this::start);
    } else {
      start();
    }
  }

  private void start() {
    setClock();
    starts++;
    var fresh = new SimulatedNode(name + starts);
    node = fresh;
    ports =
        new Ports(
            clock,
            new Chance(1000L * number + starts),
            new SimulatedThreads(with.scheduler(), fresh));
    with.scheduler().spawn(fresh, "main", () -> open(fresh));
  }

  private void setClock() {
    if (number == 0) {
      clock.beRight();
    } else {
      clock.differBy(Duration.ofSeconds(with.choices().oneOf(0, 1, -1, 5, -5, 15, -15)));
    }
    if (with.swarm().strikes(Fault.CLOCK_DRIFTS)) {
      int bound = number == 0 ? MOST_DRIFT : MOST_DRIFT_AMONG_OTHERS;
      int most = with.choices().oneOf(bound, -bound);
      clock.drift(most - Integer.signum(most) * with.choices().below(bound));
    }
  }

  private void open(SimulatedNode fresh) {
    if (!fresh.equals(node)) {
      return; // another process has taken its place, and has the store
    }
    int own = ++epoch;
    with.witness().begins(name);
    Runnable end = () -> with.scheduler().after(soon(), () -> crash(fresh));
    var store = new SimulatedStore(connections.get(), fresh, with, end, () -> epoch == own);
    connection = store;
    int places = with.choices().oneOf(1000, MOST_IN_MEMORY);
    var options =
        terms
            .ports(Objects.requireNonNull(ports, "the process has begun"))
            .mostInMemory(places)
            .nodeBytes(places == MOST_IN_MEMORY ? LITTLE_MEMORY : MUCH_MEMORY)
            .closeWithin(with.choices().oneOf(Duration.ofSeconds(30), Duration.ZERO))
            .whenBroken(_ -> end.run()); // like a process supervisor
    Hapax opened;
    try {
      opened = Hapax.open(mutation.store(store), options);
    } catch (StoreBroken e) {
      return; // another node ended its lease before it was there
    }
    hapax = opened;
    whenStarted.accept(opened);
    for (Flow<?, ?> flow : flows) {
      if (with.swarm().strikes(Fault.CODE_REGISTERED_LATE)) {
        with.scheduler().sleep(soon());
      }
      opened.register(flow);
    }
    whenOpened.accept(opened);
  }

  /** Kills the process, in the middle of its work, and starts it again. */
  void crash() {
    SimulatedNode gone = node;
    if (gone != null) {
      crash(gone);
    }
  }

  /** Does the same, unless another process has taken its place. */
  private void crash(SimulatedNode gone) {
    end(gone, null);
  }

  /** Kills this process if it is here, because the code of this run ends it. */
  void crash(SimulatedNode gone, String killer) {
    end(gone, killer);
  }

  private void end(SimulatedNode gone, @Nullable String killer) {
    if (gone.isDown() || !gone.equals(node)) {
      return;
    }
    with.witness().ended(name, killer, gone.owner);
    with.trace().note(with.scheduler().nanos(), gone.toString(), "crash", 0);
    with.trace().say(with.scheduler().nanos(), () -> gone + " crashes");
    hapax = null;
    with.scheduler().strand(gone);
    SimulatedStore left = connection;
    connection = null;
    with.scheduler()
        .after(
            soon(),
            () -> {
              if (left != null) {
                left.landWhatIsUnderWay(); // a takeover waits for open writers
              }
              start();
            });
  }

  /** Freezes the node for a while; its monotonic clock may stop too. */
  void freeze(Duration time, boolean clockStandsStill) {
    SimulatedNode frozen = node;
    if (frozen == null || frozen.isDown() || frozen.isFrozen()) {
      return;
    }
    with.trace().note(with.scheduler().nanos(), frozen.toString(), "freeze", time.toMillis());
    with.trace().say(with.scheduler().nanos(), () -> frozen + " is frozen for " + time);
    with.scheduler().freeze(frozen, time);
    if (clockStandsStill) {
      clock.stoodStill(time);
    }
  }

  /** Closes the engine in order. Then the process is gone too. */
  void close() {
    Hapax open = hapax;
    SimulatedNode closing = node;
    if (open != null && closing != null) {
      with.trace().say(with.scheduler().nanos(), () -> closing + " closes");
      with.scheduler()
          .spawn(
              closing,
              "closer",
              () -> {
                open.close();
                crash(closing);
              });
    }
  }

  /** Closes only the engine in order. The process opens the store again. */
  void reopen() {
    Hapax open = hapax;
    SimulatedNode living = node;
    if (open == null || living == null) {
      return;
    }
    with.trace().note(with.scheduler().nanos(), living.toString(), "reopen", 0);
    with.trace().say(with.scheduler().nanos(), () -> living + " closes and opens again");
    hapax = null;
    with.witness().ended(name, null, living.owner);
    with.scheduler()
        .spawn(
            living,
            "reopener",
            () -> {
              open.close();
              open(living);
            });
  }

  /**
   * Simulates a lost lock, or a file system without locks: another process opens the store while
   * this one goes on, until that is noticed. The other process waits for writes that are under way.
   */
  void openTwice() {
    SimulatedNode old = node;
    SimulatedStore left = connection;
    if (hapax == null || old == null || left == null || old.isDown()) {
      return;
    }
    with.trace().note(with.scheduler().nanos(), old.toString(), "open twice", 0);
    with.trace().say(with.scheduler().nanos(), () -> "another process opens the store of " + old);
    hapax = null;
    left.landWhatIsUnderWay();
    with.witness().shutOut(old);
    with.witness().ended(name, null, old.owner);
    start();
    int bound = with.choices().oneOf(100, 3_000);
    with.scheduler()
        .after(Duration.ofMillis(with.choices().below(bound)), () -> with.scheduler().strand(old));
  }

  private Duration soon() {
    int bound = with.choices().oneOf(100, 3_000, 3_600_000);
    return Duration.ofMillis(with.choices().below(bound));
  }

  /**
   * A random source for owners and jitter. It differs by start, and needs no choice of the seed.
   */
  private static final class Chance implements RandomSource {
    private final SplittableRandom random;

    Chance(long start) {
      random = new SplittableRandom(start);
    }

    @Override
    public long nextLong() {
      return random.nextLong();
    }

    @Override
    public double nextDouble() {
      return random.nextDouble();
    }
  }
}
