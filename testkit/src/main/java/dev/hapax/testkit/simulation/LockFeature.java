package dev.hapax.testkit.simulation;

import dev.hapax.testkit.promise.Observation;
import java.util.ArrayList;
import java.util.List;

/** A section that only one run at a time may be in. The run inside reports to a witness. */
final class LockFeature implements Feature {
  private final UnreliableWorld world;
  private final List<Observation> observations = new ArrayList<>();

  LockFeature(UnreliableWorld world) {
    this.world = world;
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.LOCK;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) throws Exception {
    String key = "lock-" + step.key();
    return scene
        .run()
        .locked(
            step.name(),
            key,
            lock -> {
              inside(scene, step.name() + "-enters", key, lock.fence());
              String result = body.carryOut(scene, step.parts());
              inside(scene, step.name() + "-leaves", key, lock.fence());
              return result;
            });
  }

  /** Works inside a step, whose code is called only while the section is not over. */
  private void inside(Scene scene, String name, String key, long fence) {
    scene
        .run()
        .step(
            name,
            () -> {
              if (scene.isPlanned()) {
                return "outside";
              }
              world.called(scene.run().id(), scene.step(name), scene.release());
              if (!world.mayBeReplaced()) { // a replaced run is known by its fence
                observations.add(new Observation.LockUsed(key, fence, scene.run().id()));
              }
              return "inside";
            },
            String.class);
  }

  @Override
  public List<Observation> observations() {
    return observations;
  }
}
