package dev.hapax.testkit.simulation;

import dev.hapax.flow.Run;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryCluster;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.Observation;
import dev.hapax.testkit.promise.Promise;
import dev.hapax.testkit.promise.Promises;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One course of events: a machine, its clients and its operator, faults until some moment, then
 * none until every run has ended. Then every promise is checked. The same choices give the same
 * course in every process.
 */
public final class Simulation {
  private static final int MOST_NODES = 5;
  private static final int FEW_NODES = 3;
  private static final int CLIENTS = 3;
  private static final int MOST_WISHES = 7;
  private static final int MOST_ROUNDS_TO_END = 400;

  private final Choices choices;
  private final Trace trace;
  private final Tally tally = new Tally();
  private final Scheduler scheduler;
  private final SimulatedStore.Simulated with;
  private final Store durable;
  private final Runnable failOver;
  private final UnreliableWorld world;
  private final Features features;
  private final PlannedFlows flows;
  private final Machines machines;
  private final List<ClientCall> calls = new ArrayList<>();
  private int busyClients;

  private Simulation(
      Generator generator, Choices choices, Mutation mutation, boolean readable, int mostTurns) {
    this.choices = choices;
    this.trace = new Trace(readable);
    this.scheduler = new Scheduler(choices, trace, mostTurns);
    boolean isShared =
        generator == Generator.NODES || (generator == Generator.RECOVERY && choices.below(5) == 1);
    var swarm = Swarm.draw(Fault.of(generator, isShared), choices, tally);
    if (generator == Generator.RECOVERY && choices.below(3) == 1) {
      swarm.raise(Fault.ANSWER_LATE, 250).raise(Fault.SENDER_IGNORES_INTERRUPT, 800);
    }
    var witness = new NodeWitness(scheduler, this::runOf, tally);
    this.with = new SimulatedStore.Simulated(scheduler, choices, swarm, trace, witness);
    if (isShared) {
      var cluster = new MemoryCluster(this::databaseTime, mutation.leases());
      this.durable = cluster.store();
      this.failOver = () -> failOver(cluster);
      if (swarm.has(Fault.STANDBY_TAKES_OVER)) {
        cluster.follow(choices.oneOf(4, 15, 50));
      }
      int mostNodes = generator == Generator.NODES ? MOST_NODES : FEW_NODES;
      this.machines = nodes(cluster, mostNodes, mutation);
    } else {
      this.durable = new MemoryStore();
      this.failOver = () -> {};
      this.machines = new Machines(List.of(new Machine(0, () -> durable, with, mutation)), choices);
    }
    this.world = new UnreliableWorld(with, durable);
    this.features =
        AllFeatures.draw(generator, new Outside(with, machines, world, durable), mutation);
    this.flows = new PlannedFlows(world, mutation, features);
  }

  private @Nullable Run runOf(Head head) {
    return switch (head) {
      case Head.Insert(var run, var _) -> durable.run(run.number());
      case Head.Owned(long run, long _, long _) -> durable.run(run);
      case Head.Unowned(long run, long _) -> durable.run(run);
      case Head.NotEnded(long run) -> durable.run(run);
      case Head.Always() -> null;
    };
  }

  private void failOver(MemoryCluster cluster) {
    int lost = cluster.failOver();
    with.witness().failedOver(lost);
    trace.note(scheduler.nanos(), "standby", "takes over", lost);
    trace.say(scheduler.nanos(), () -> "the standby takes over, without the last writes: " + lost);
  }

  private Instant databaseTime() {
    return SimulatedClock.BEGINNING.plusNanos(scheduler.nanos());
  }

  /** Creates nodes that all have leases of one length. */
  private Machines nodes(MemoryCluster cluster, int mostNodes, Mutation mutation) {
    List<Machine> nodes = new ArrayList<>();
    int count = 1 + choices.below(mostNodes);
    Duration lease =
        choices.oneOf(Duration.ofMinutes(5), Duration.ofMinutes(1), Duration.ofSeconds(15));
    for (int i = 0; i < count; i++) {
      var node = new Machine(count == 1 ? 0 : i + 1, cluster::join, with, mutation);
      node.lease(lease);
      nodes.add(node);
    }
    return new Machines(nodes, choices);
  }

  /** Runs a simulation to its end. */
  public static SimulationResult run(Choices choices, Mutation mutation, boolean readable) {
    return run(Generator.CORE, choices, mutation, readable);
  }

  /** Does the same with the runs of this generator. */
  public static SimulationResult run(
      Generator generator, Choices choices, Mutation mutation, boolean readable) {
    return new Simulation(generator, choices, mutation, readable, Scheduler.MOST_TURNS).run();
  }

  /**
   * Returns the promises that a broken engine breaks. Such an engine may run for ever.
   *
   * @param mostTurns after which it counts as running for ever
   */
  public static List<String> broken(Generator generator, Choices choices, int mostTurns) {
    var simulation = new Simulation(generator, choices, Mutation.NONE, false, mostTurns);
    try {
      simulation.scheduler.run("director", simulation::direct);
    } catch (SimulationStuck e) {
      return List.of("SimulationStuck: " + e.getMessage()); // its evidence is endless, too
    }
    return simulation.brokenBy(simulation.evidence());
  }

  private SimulationResult run() {
    List<String> broken = new ArrayList<>();
    try {
      scheduler.run("director", this::direct);
    } catch (SimulationStuck e) {
      broken.add("SimulationStuck: " + e.getMessage());
    }
    Evidence evidence = evidence();
    broken.addAll(brokenBy(evidence));
    new TakenBranches(tally).count(evidence);
    return new SimulationResult(broken, evidence, trace, tally, choices.taken(), scheduler.turns());
  }

  private Evidence evidence() {
    return new Evidence(
            durable,
            UnreliableWorld.TENANT,
            world.sendings(),
            world.stepCalls(),
            calls,
            observations())
        .landedInOrder(with.witness()::landed);
  }

  private List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Promise promise : durable.failovers().isEmpty() ? Promises.all() : Promises.afterALoss()) {
      promise.brokenBy(evidence).forEach(how -> broken.add(promise.name() + ": " + how));
    }
    return broken;
  }

  private List<Observation> observations() {
    List<Observation> all = new ArrayList<>(features.observations());
    all.addAll(with.witness().observations());
    all.addAll(world.wanted());
    return all;
  }

  private void direct() {
    machines.run(flows.all(), features::opened);
    features.begin();
    var canceler = new Client("canceler", machines, with, flows, durable, calls);
    var chaos =
        new Chaos(
            machines,
            with,
            failOver,
            () -> scheduler.spawn(null, "canceler", canceler::cancelOneUnderWay));
    scheduler.everyTurn(chaos::strike);
    if (with.swarm().has(Fault.STANDBY_TAKES_OVER)) {
      world.whenSent(chaos::sent);
    }
    for (int i = 0; i < CLIENTS; i++) {
      var client = new Client("client-" + i, machines, with, flows, durable, calls);
      int wishes = 2 + choices.below(MOST_WISHES);
      busyClients++;
      scheduler.spawn(
          null,
          "client-" + i,
          () -> {
            client.live(wishes);
            busyClients--;
          });
    }
    var operator = new Operator(machines, with, world, durable, calls, features::cured);
    scheduler.spawn(null, "operator", () -> operator.live(4));
    while (busyClients > 0) {
      scheduler.sleep(Duration.ofMinutes(5));
    }
    scheduler.sleep(Duration.ofMinutes(choices.below(30)));
    with.swarm().stop();
    comeToAnEnd(operator);
  }

  /**
   * Runs until every run has ended. The faults are over: time goes on, and people settle reviews.
   */
  private void comeToAnEnd(Operator operator) {
    new EndOfRuns(durable, scheduler, machines)
        .await(
            MOST_ROUNDS_TO_END,
            () -> {
              operator.settleAll(false);
              finishFeatures();
            });
  }

  private void finishFeatures() {
    try {
      features.finish();
    } catch (NodeDown e) {
      // The node that was asked dies only now, of an earlier fault; another is next.
      trace.say(scheduler.nanos(), () -> "nobody answers the director");
    }
  }
}
