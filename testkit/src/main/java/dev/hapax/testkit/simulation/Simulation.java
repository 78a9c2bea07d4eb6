package dev.hapax.testkit.simulation;

import dev.hapax.run.RunStatus;
import dev.hapax.store.RunFilter;
import dev.hapax.store.Store;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.testkit.promise.Call;
import dev.hapax.testkit.promise.Evidence;
import dev.hapax.testkit.promise.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One course of events: a machine, its clients and its operator, faults until some moment, then
 * none until every run has come to its end; and then every promise is checked. The same choices
 * give the same course in every process.
 */
public final class Simulation {
  private static final int CLIENTS = 3;
  private static final int MOST_WISHES = 7;
  private static final int MOST_ROUNDS_TO_END = 400;

  private final Choices choices;
  private final Trace trace;
  private final Tally tally = new Tally();
  private final Scheduler scheduler;
  private final SimulatedStore.Simulated with;
  private final Store durable = new MemoryStore();
  private final UnreliableWorld world;
  private final Features features;
  private final PlannedFlows flows;
  private final Machine machine;
  private final List<Call> calls = new ArrayList<>();
  private int busyClients;

  private Simulation(Generator generator, Choices choices, Mutation mutation, boolean readable) {
    this.choices = choices;
    this.trace = new Trace(readable);
    this.scheduler = new Scheduler(choices, trace);
    var swarm = Swarm.draw(choices, tally);
    this.with = new SimulatedStore.Simulated(scheduler, choices, swarm, trace);
    this.world = new UnreliableWorld(with, durable);
    this.machine = new Machine("node", durable, with, mutation);
    this.features =
        generator == Generator.CORE
            ? Features.none()
            : Features.draw(new Features.Outside(with, machine, world, durable), mutation);
    this.flows = new PlannedFlows(world, mutation, features);
  }

  /** Runs it to its end. */
  public static SimulationResult run(Choices choices, Mutation mutation, boolean readable) {
    return run(Generator.CORE, choices, mutation, readable);
  }

  /** As above, with the runs of this generator. */
  public static SimulationResult run(
      Generator generator, Choices choices, Mutation mutation, boolean readable) {
    return new Simulation(generator, choices, mutation, readable).run();
  }

  private SimulationResult run() {
    List<String> broken = new ArrayList<>();
    try {
      scheduler.run("director", this::direct);
    } catch (SimulationStuck e) {
      broken.add("SimulationStuck: " + e.getMessage());
    }
    var evidence =
        new Evidence(
            durable,
            UnreliableWorld.TENANT,
            world.sendings(),
            world.stepCalls(),
            calls,
            features.observations());
    for (Promise promise : Promise.all()) {
      promise.brokenBy(evidence).forEach(how -> broken.add(promise.name() + ": " + how));
    }
    new Branches(tally).count(evidence);
    return new SimulationResult(broken, evidence, trace, tally, choices.taken(), scheduler.turns());
  }

  private void direct() {
    machine.run(flows.all(), features::opened);
    features.begin();
    var chaos = new Chaos(machine, with);
    scheduler.everyTurn(chaos::strike);
    for (int i = 0; i < CLIENTS; i++) {
      var client = new Client("client-" + i, machine, with, flows, durable, calls);
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
    var operator = new Operator(machine, with, world, durable, calls);
    scheduler.spawn(null, "operator", () -> operator.live(4));
    while (busyClients > 0) {
      scheduler.sleep(Duration.ofMinutes(5));
    }
    scheduler.sleep(Duration.ofMinutes(choices.below(30)));
    with.swarm().stop();
    comeToAnEnd(operator);
  }

  /** The faults are over: time goes on, and people settle what only they can. */
  private void comeToAnEnd(Operator operator) {
    for (int round = 0; round < MOST_ROUNDS_TO_END && !hasEnded(); round++) {
      scheduler.sleep(Duration.ofSeconds(20L * (1 + round / 20))); // some have hours to wait
      operator.settleAll(false);
      features.finish();
      skipToNextDue();
    }
  }

  /** Hours in which nothing is to be done pass at once. */
  private void skipToNextDue() {
    Instant next = durable.nextDue(null);
    Instant now = machine.clock().now();
    if (next != null && next.isAfter(now.plusSeconds(60))) {
      scheduler.suspend(Duration.between(now, next).minusSeconds(30));
    }
  }

  /** By status: there may be more runs than a page holds. */
  private boolean hasEnded() {
    return Arrays.stream(RunStatus.values())
        .filter(status -> !status.isEnd())
        .map(status -> new RunFilter(UnreliableWorld.TENANT, null, null, status, null, 1))
        .allMatch(filter -> durable.runs(filter).isEmpty());
  }
}
