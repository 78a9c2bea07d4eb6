package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.KeyExpired;
import dev.hapax.RunHandle;
import dev.hapax.flow.Flow;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flows whose runs are kept for two minutes, and whose effects for little more; and a client that
 * returns with the same few keys, and has some of them forgotten.
 */
final class RetentionFeature implements Feature {
  private static final Duration KEPT = Duration.ofMinutes(2);
  private static final int KEYS = 2;
  private static final int VISITS = 14;

  private final Outside outside;
  private final PlannedEffects effects;
  private final List<Observation> observations = new ArrayList<>();
  private final List<Flow<Plan, String>> brief = new ArrayList<>();

  RetentionFeature(Outside outside, Mutation mutation) {
    this.outside = outside;
    this.effects = new PlannedEffects(outside.world(), mutation, false);
  }

  @Override
  public List<Flow<Plan, String>> ownFlows(Body body) {
    brief.add(flow("brief", Flow.AfterRetention.EXPIRED));
    brief.add(flow("brief-anew", Flow.AfterRetention.NEW));
    return brief;
  }

  private Flow<Plan, String> flow(String name, Flow.AfterRetention after) {
    return Flow.of(name, Plan.class, String.class)
        .key(Plan::key)
        .retention(KEPT)
        .afterRetention(after)
        .body(
            (run, plan) -> {
              run.sleep("pause", Duration.ofSeconds(5));
              return after == Flow.AfterRetention.NEW
                  ? run.step("count", () -> "counted", String.class)
                  : String.valueOf(effects.send(run, plan.steps().getFirst(), plan.key()));
            });
  }

  @Override
  public void begin() {
    outside.with().scheduler().spawn(null, "regular", this::live);
  }

  private void live() {
    Choices choices = outside.with().choices();
    for (int i = 0; i < VISITS; i++) {
      int bound = choices.oneOf(60, 300, 900);
      outside.with().scheduler().sleep(Duration.ofSeconds(choices.below(bound)));
      Flow<Plan, String> flow = brief.get(choices.below(brief.size()));
      String key = "brief-" + choices.below(KEYS);
      boolean forgets = choices.below(3) == 1;
      Hapax hapax = outside.machines().hapax();
      if (hapax != null) {
        observations.add(forgets ? forget(hapax, flow, key) : start(hapax, flow, key));
      }
    }
  }

  private Observation start(Hapax hapax, Flow<Plan, String> flow, String key) {
    boolean isNew = flow.afterRetention() == Flow.AfterRetention.NEW;
    String[] run = {null};
    boolean[] isDuplicate = {false};
    boolean[] isExpired = {false};
    ClientCall.Answer told;
    try {
      told =
          Client.tell(
              () -> {
                try {
                  RunHandle<String> handle = hapax.start(flow, plan(key));
                  run[0] = handle.id();
                  isDuplicate[0] = handle.isDuplicate();
                } catch (KeyExpired e) {
                  run[0] = e.runId();
                  isExpired[0] = true;
                }
              });
    } catch (IllegalStateException e) {
      told = ClientCall.Answer.REFUSED; // its code is registered late
    }
    if (told == ClientCall.Answer.ACCEPTED) {
      told =
          isExpired[0]
              ? ClientCall.Answer.EXPIRED
              : isDuplicate[0] ? ClientCall.Answer.DUPLICATE : ClientCall.Answer.ACCEPTED;
    }
    @Nullable String id = run[0];
    return new Observation.KeyReturned(flow.name() + " " + key, isNew, told, id);
  }

  private static Observation forget(Hapax hapax, Flow<Plan, String> flow, String key) {
    var told = Client.tell(() -> hapax.forget(flow, key, "regular", "wants it again"));
    return new Observation.KeyForgotten(flow.name() + " " + key, told);
  }

  private static Plan plan(String key) {
    var send =
        new Plan.PlannedStep(
            Plan.Does.SEND,
            "send",
            null,
            SimulatedDestination.COUPONS.name(),
            key,
            "content-0",
            0,
            1,
            false,
            List.of());
    return new Plan(key, List.of(send));
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
