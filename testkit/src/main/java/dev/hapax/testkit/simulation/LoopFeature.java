package dev.hapax.testkit.simulation;

import dev.hapax.flow.Each;
import dev.hapax.flow.Items;
import java.util.List;
import java.util.stream.IntStream;

/** A loop over a few items; all do the same parts, half of the loops with the same effect keys. */
final class LoopFeature implements Feature {
  private final UnreliableWorld world;

  LoopFeature(UnreliableWorld world) {
    this.world = world;
  }

  @Override
  public Plan.Does does() {
    return Plan.Does.LOOP;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    List<String> items =
        IntStream.rangeClosed(0, (int) step.version()).mapToObj(i -> "item-" + i).toList();
    boolean sharesKeys = step.seconds() % 2 == 0;
    Each<String> each = Each.of(items, item -> item).atOnce(1 + step.seconds() % 3);
    Items ended =
        scene
            .run()
            .forEach(
                step.name(),
                each,
                (run, item) -> {
                  Scene inItem = scene.inItem(run, item, sharesKeys ? "" : "-" + item);
                  if (!scene.isPlanned()) {
                    world.called(run.id(), inItem.step(step.name()), scene.release());
                  }
                  body.carryOut(inItem, step.parts());
                });
    return ended.succeeded() + " of " + items.size();
  }
}
