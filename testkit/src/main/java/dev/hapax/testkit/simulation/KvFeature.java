package dev.hapax.testkit.simulation;

import dev.hapax.flow.KvResult;
import dev.hapax.flow.KvSteps;
import java.util.Objects;

/**
 * Runs count together: each reads a counter and sets it one higher, if no other run has; after some
 * tries it adds one.
 */
final class KvFeature implements Feature {
  private static final int MOST_TRIES = 3;

  @Override
  public Plan.Does does() {
    return Plan.Does.KV;
  }

  @Override
  public String carryOut(Scene scene, Plan.PlannedStep step, Body body) {
    KvSteps kv = scene.run().kv();
    String counter = "counter-" + step.key();
    KvResult there = kv.get(step.name(), counter);
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
      int count = there.isPresent() ? Objects.requireNonNull(there.value(Integer.class)) : 0;
      String set = step.name() + "-set-" + tries;
      KvResult after =
          there.isPresent()
              ? kv.compareAndSet(set, counter, there.version(), count + 1)
              : kv.putIfAbsent(set, counter, 1);
      if (after.written()) {
        return "counted to " + (count + 1);
      }
      there = after;
    }
    return "added up to " + kv.add(step.name() + "-add", counter, 1).value(Integer.class);
  }
}
