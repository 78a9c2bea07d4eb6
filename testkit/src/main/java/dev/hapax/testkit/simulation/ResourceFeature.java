package dev.hapax.testkit.simulation;

import dev.hapax.Hapax;
import dev.hapax.flow.Flow;
import dev.hapax.flow.KvResult;
import dev.hapax.flow.ResourceNotFound;
import dev.hapax.flow.RunContext;
import dev.hapax.run.value.ResourceRef;
import dev.hapax.testkit.promise.Observation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Values that are stored once and passed by reference: results that are too large for a journal,
 * values that a body keeps and shares in the durable map, values that a caller outside puts and
 * forgets, and values that only runs refer to which soon expire. There are few contents, so that
 * one is still referred to when another reference to it goes.
 */
final class ResourceFeature implements Feature {
  private static final String TEXT = "text/plain";

  /** A little more than the largest value that stays in the journal. */
  private static final int LARGE = (64 << 10) + 100;

  private static final Duration KEPT = Duration.ofMinutes(2);
  private static final int KEYS = 3;
  private static final int VISITS = 6;

  private final Outside outside;
  private final List<Observation> observations = new ArrayList<>();
  private final List<Flow<Plan, String>> brief = new ArrayList<>();

  ResourceFeature(Outside outside) {
    this.outside = outside;
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.RESOURCE;
  }

  /** Large values take long, so they are rare. */
  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    if (step.version() == 0 && step.caught()) {
      return largeResult(scene, step);
    }
    String ref = keep(scene.run(), step.name(), step.key());
    return step.version() == 1 ? share(scene.run(), step, ref) : ref;
  }

  /** Returns a large result, which makes the run's output large too. */
  private String largeResult(Scene scene, Plan.PlannedStep step) {
    String large = (step.key() + " ").repeat(LARGE / step.key().length());
    String result =
        scene
            .run()
            .step(
                step.name(),
                () -> {
                  if (!scene.isPlanned()) {
                    outside
                        .world()
                        .called(scene.run().id(), scene.step(step.name()), scene.release());
                  }
                  return large;
                },
                String.class);
    observations.add(new Observation.LargeResultRead(step.key(), result.equals(large)));
    return result;
  }

  private String keep(RunContext run, String name, String key) {
    String ref = run.resource(name, content(key), TEXT);
    read(run, ref);
    return ref;
  }

  /** Shares a value. The value shared there before loses a reference. */
  private String share(RunContext run, Plan.PlannedStep step, String ref) {
    String shelf = "shelf-" + step.content();
    KvResult there = run.kv().get(step.name() + "-look", shelf);
    String before = there.isPresent() ? there.value(String.class) : null;
    run.kv().put(step.name() + "-share", shelf, ref);
    if (before != null) {
      read(run, before);
    }
    return ref;
  }

  private void read(RunContext run, String ref) {
    try {
      String hash = ResourceRef.to(run.resource(ref).bytes()).toString();
      observations.add(new Observation.ValueRead(ref, hash));
    } catch (ResourceNotFound e) {
      observations.add(new Observation.ValueRead(ref, null));
      throw e;
    }
  }

  private static byte[] content(String key) {
    return ("the value of " + key).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public List<Flow<Plan, String>> ownFlows(Body body) {
    brief.add(
        Flow.of("brief-keeper", Plan.class, String.class)
            .key(Plan::key)
            .conflict(Flow.Conflict.NEW)
            .retention(KEPT)
            .afterRetention(Flow.AfterRetention.NEW)
            .body((run, plan) -> keep(run, "keep", plan.key())));
    return brief;
  }

  @Override
  public void begin() {
    outside.with().scheduler().spawn(null, "collector", this::live);
  }

  private void live() {
    Choices choices = outside.with().choices();
    for (int i = 0; i < VISITS; i++) {
      int bound = choices.oneOf(60, 3600, 200_000);
      outside.with().scheduler().sleep(Duration.ofSeconds(choices.below(bound)));
      boolean starts = choices.below(2) == 1;
      String key = "key-" + choices.below(KEYS);
      Hapax hapax = outside.machines().hapax();
      if (hapax != null) {
        visit(hapax, starts, key);
      }
    }
  }

  private void visit(Hapax hapax, boolean starts, String key) {
    try {
      var _ =
          Client.tell(
              () -> {
                if (starts) {
                  hapax.start(brief.getFirst(), new Plan(key, List.of()));
                } else {
                  String ref = hapax.resources().put(content(key), TEXT);
                  observations.add(new Observation.ValuePut(ref));
                }
              });
    } catch (IllegalStateException e) {
      // its code is registered late
    }
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
