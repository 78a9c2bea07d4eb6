package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A destination with low limits that at times asks callers to wait; a witness there counts
 * simultaneous calls. Beside it a flow with a low limit on the runs that begin in a period.
 */
final class LimitFeature implements Feature {
  private static final SimulatedDestination SCARCE = SimulatedDestination.SCARCE;

  /** A call whose time is over may need a moment to notice it. */
  private static final Duration CERTAINLY_CALLS = SCARCE.timeout().minusSeconds(1);

  private final Outside outside;
  private final Mutation mutation;
  private final List<Observation> observations = new ArrayList<>();
  private int callsAtOnce = 1;
  private dev.hapax.flow.Destination bears = dev.hapax.flow.Destination.of(SCARCE.name());

  /** The start time of each call, in this life of the process: the limits are not durable. */
  private Map<String, Long> calling = new LinkedHashMap<>();

  LimitFeature(Outside outside, Mutation mutation) {
    this.outside = outside;
    this.mutation = mutation;
  }

  @Override
  public void prepare() {
    Choices choices = outside.with().choices();
    callsAtOnce = choices.oneOf(1, 2);
    bears =
        bears
            .calls(callsAtOnce)
            .rate(choices.oneOf(100, 1), Duration.ofSeconds(choices.oneOf(1, 20)))
            .breaker(choices.oneOf(2, 1), Duration.ofSeconds(choices.oneOf(2, 90)));
    outside.machines().whenStarted(this::register);
  }

  private void register(Hapax hapax) {
    calling = new LinkedHashMap<>();
    hapax.destinations().register(mutation.bears(bears));
  }

  @Override
  public List<Flow<Plan, String>> flows(Body body) {
    return List.of(
        PlannedFlows.builder("rated").rate(1, Duration.ofMinutes(5)).body(PlannedFlows.body(body)));
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.LIMITED;
  }

  /** Uses its own key: an effect that the ledger seems to answer need not wait for its turn. */
  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    String run = scene.run().id();
    String key = run + "/" + scene.step(step.name());
    Effect<String> effect =
        Effect.create(key)
            .request(step.content())
            .keyed(SCARCE.window())
            .name(SCARCE.name())
            .retry(SCARCE.retry())
            .timeout(SCARCE.timeout())
            .to(SCARCE.name());
    return String.valueOf(
        scene
            .run()
            .effect(
                step.name(),
                effect,
                (String wireKey, String request) ->
                    call(new WorldRequest.Order(run, key, wireKey, request, null)),
                String.class));
  }

  private String call(WorldRequest.Order order) throws Exception {
    outside.with().scheduler().checkAlive();
    Map<String, Long> here = calling;
    long now = outside.with().scheduler().nanos();
    here.values().removeIf(since -> now - since >= CERTAINLY_CALLS.toNanos());
    here.put(order.wireKey(), now);
    observations.add(
        new Observation.DestinationCalled(SCARCE.name(), callsAtOnce, List.copyOf(here.keySet())));
    try {
      return UnreliableWorld.unquoted(outside.world().send(SCARCE, order));
    } catch (NotApplied e) {
      int seconds = outside.with().choices().below(60);
      throw seconds == 0 ? e : new NotApplied("busy", Duration.ofSeconds(seconds), e);
    } finally {
      here.remove(order.wireKey(), now);
    }
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
