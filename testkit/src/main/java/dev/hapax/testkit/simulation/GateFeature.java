package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Flows that limit how many of their runs are under way, per key, with each rule for runs beyond
 * the limit. Code of a run that is at work reports to a witness which other runs are inside.
 */
final class GateFeature implements Feature {
  private static final int CUSTOMERS = 2;
  private static final int VISITORS = 3;
  private static final int RUN_KEYS = 5;

  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();
  private final List<Flow<Plan, String>> gated = new ArrayList<>();

  /** By gate: the runs that were at work, and how often each had ended before. */
  private final Map<String, Map<String, Long>> entered = new HashMap<>();

  GateFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public List<Flow<Plan, String>> ownFlows(Body body) {
    gated.addAll(
        List.of(
            gated("one-at-once", 1, Overflow.QUEUE, body),
            gated("two-at-once", 2, Overflow.QUEUE, body),
            gated("refusing", 1, Overflow.REJECT, body),
            gated("newest", 1, Overflow.CANCEL_RUNNING, body)));
    return gated;
  }

  private Flow<Plan, String> gated(String name, int limit, Overflow overflow, Body body) {
    return PlannedFlows.builder(name)
        .concurrency(GateFeature::customer, limit, overflow)
        .body(
            (run, plan) -> {
              String gate = name + " of " + customer(plan);
              inside(run, "enters", gate, limit);
              String result = body.carryOut(new Scene(run, 1), plan.steps());
              inside(run, "leaves", gate, limit);
              return result;
            });
  }

  private static String customer(Plan plan) {
    return "customer-" + Math.floorMod(plan.key().hashCode(), CUSTOMERS);
  }

  private void inside(RunContext run, String step, String gate, int limit) {
    run.step(
        step,
        () -> {
          if (run instanceof PlannedRun) {
            return step;
          }
          outside.with().scheduler().checkAlive();
          var there = entered.computeIfAbsent(gate, _ -> new HashMap<>());
          there.put(run.id(), endings(run.id()));
          List<String> now =
              there.entrySet().stream()
                  .filter(one -> isAtWork(one.getKey(), one.getValue()))
                  .map(Map.Entry::getKey)
                  .sorted()
                  .toList();
          observations.add(new Observation.SlotUsed(gate, limit, now));
          return step;
        },
        String.class);
  }

  /**
   * Whether the run holds its slot, which it does until its end. A run that is retried waits in
   * line again.
   */
  private boolean isAtWork(String id, long endedBefore) {
    Run run = outside.durable().find(RunId.parse(id));
    return run != null
        && !run.status().isEnd()
        && run.status() != RunStatus.QUEUED
        && endings(id) == endedBefore;
  }

  private long endings(String id) {
    Run run = outside.durable().find(RunId.parse(id));
    return run == null
        ? 0
        : outside.durable().journal(run.number()).stream()
            .flatMap(row -> row.readEntries().stream())
            .filter(RunEntry.Ended.class::isInstance)
            .count();
  }

  /** Many visitors come at once and stay for a while. */
  @Override
  public void begin() {
    for (int i = 0; i < VISITORS; i++) {
      outside.with().scheduler().spawn(null, "visitor-" + i, this::visit);
    }
  }

  private void visit() {
    Choices choices = outside.with().choices();
    int visits = 2 + choices.below(3);
    Flow<Plan, String> flow = gated.get(choices.below(gated.size()));
    for (int i = 0; i < visits; i++) {
      Duration pause = Duration.ofMillis(choices.below(choices.oneOf(50, 2_000, 1_000_000)));
      outside.with().scheduler().sleep(pause);
      Hapax hapax = outside.machines().hapax();
      Plan plan = stay(choices.below(RUN_KEYS), 1 + choices.below(600));
      if (hapax != null) {
        observations.add(new Observation.VisitorTold(start(hapax, flow, plan)));
      }
    }
  }

  private static ClientCall.Answer start(Hapax hapax, Flow<Plan, String> flow, Plan plan) {
    try {
      return Client.tell(() -> hapax.start(flow, plan));
    } catch (IllegalStateException e) {
      return ClientCall.Answer.REFUSED; // its code is registered late
    }
  }

  private static Plan stay(int number, int seconds) {
    var waits = step(Plan.Does.SLEEP, "step-0", seconds);
    return new Plan("visit-" + number, List.of(waits, step(Plan.Does.SEND, "step-1", seconds)));
  }

  private static Plan.PlannedStep step(Plan.Does does, String name, int seconds) {
    return new Plan.PlannedStep(
        does, name, null, "charge", "visit", "content-0", 0, seconds, true, List.of());
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
