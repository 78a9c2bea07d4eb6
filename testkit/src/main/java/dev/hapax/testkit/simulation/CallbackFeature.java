package dev.hapax.testkit.simulation;

import dev.hapax.Callbacks;
import dev.hapax.Hapax;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.StepFailed;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run hands a token to a system outside and waits for its answer. The system answers early, late
 * and several times with other values, and asks again until its answer is acknowledged.
 */
final class CallbackFeature implements Feature {
  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();

  /** Tokens that have left, and whether they have arrived. */
  private final Map<String, Boolean> tokens = new LinkedHashMap<>();

  private int answers;

  CallbackFeature(Outside outside) {
    this.outside = outside;
    outside
        .world()
        .onArrival(SimulatedDestination.ASK, request -> arrived(request.order.content()));
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.CALLBACK;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    String token = scene.run().callback(step.name());
    tokens.putIfAbsent(token, false);
    String key = scene.run().id() + "/" + step.name() + "/" + scene.item();
    Effect<String> ask =
        Effect.notify(key)
            .request(token)
            .keyed(SimulatedDestination.ASK.window())
            .name(SimulatedDestination.ASK.name())
            .retry(SimulatedDestination.ASK.retry())
            .timeout(SimulatedDestination.ASK.timeout());
    scene
        .run()
        .effect(
            step.name() + "-ask",
            ask,
            (String wireKey, String request) ->
                UnreliableWorld.unquoted(
                    outside
                        .world()
                        .send(
                            SimulatedDestination.ASK,
                            new WorldRequest.Order(scene.run().id(), key, wireKey, request, null))),
            String.class);
    body.carryOut(scene, step.parts()); // the answer may come while the run does something else
    Duration expires = step.version() == 0 ? null : Duration.ofSeconds(step.seconds());
    try {
      return scene.run().awaitCallback(step.name(), expires, String.class);
    } catch (StepFailed e) {
      if (e.code().equals("expired") && step.caught()) {
        return "expired";
      }
      throw e;
    }
  }

  private void arrived(@Nullable String token) {
    if (token == null || Boolean.TRUE.equals(tokens.put(token, true))) {
      return;
    }
    Choices choices = outside.with().choices();
    int callers = 1 + choices.below(3);
    for (int i = 0; i < callers; i++) {
      Duration pause = Duration.ofMillis(choices.below(choices.oneOf(3, 60_000, 10_000_000)));
      outside
          .with()
          .scheduler()
          .spawn(
              null,
              "caller",
              () -> {
                outside.with().scheduler().sleep(pause);
                answer(token);
              });
    }
    if (choices.below(8) == 1) {
      outside.with().scheduler().spawn(null, "stranger", () -> answer(token + "x"));
    }
  }

  private void answer(String token) {
    Hapax hapax = outside.machines().hapax();
    if (hapax == null) {
      return;
    }
    String value = "answer-" + ++answers;
    Wait wait = waitOf(token);
    long number = wait == null ? 0 : wait.number();
    Callbacks.Receipt[] receipt = {null};
    var told = Client.tell(() -> receipt[0] = hapax.callbacks().answer(token, value));
    if (wait == null && !tokens.containsKey(token)) {
      observations.add(new Observation.StrangerAnswered(told));
      return;
    }
    Callbacks.@Nullable Receipt heard = receipt[0];
    observations.add(
        heard == null
            ? Observation.WaitAnswered.unheard(number, Json.write(value), told)
            : new Observation.WaitAnswered(
                number, Json.write(value), told, heard.state(), heard.isFirst(), heard.value()));
  }

  /**
   * Answers open waits. A system whose answer was not acknowledged calls again; so does one whose
   * run was retried since, and one that got the token from a person, who did by hand what the run
   * could not.
   */
  @Override
  public void finish() {
    for (String token : List.copyOf(tokens.keySet())) {
      Wait wait = waitOf(token);
      if (wait != null && wait.isOpen()) {
        answer(token);
      }
    }
  }

  private @Nullable Wait waitOf(String token) {
    return outside.durable().waits().find(Fingerprint.of(Digest.sha256(token)));
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
