package dev.hapax.testkit.simulation;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A failure with as few choices as were found in the time, still of the same promise: another one
 * might be another fault.
 */
record Shrunk(String promise, List<Integer> choices) {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** The mutation is made anew for every try: some keep state. */
  static Shrunk from(Generator generator, SimulationResult failed, Supplier<Mutation> mutation) {
    long start = System.nanoTime();
    String promise = failed.killer();
    var shrinker =
        new Shrinker(
            choices ->
                Simulation.run(generator, Choices.again(choices), mutation.get(), false)
                    .breaks(promise),
            () -> System.nanoTime() - start < LONGEST.toNanos());
    return new Shrunk(promise, shrinker.shrink(failed.choices()));
  }

  @Override
  public String toString() {
    return "%s with %d choices that are not dull: %s"
        .formatted(promise, ChoiceText.count(choices), ChoiceText.write(choices));
  }
}
