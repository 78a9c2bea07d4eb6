package dev.hapax.testkit.simulation;

import java.util.List;
import java.util.function.Supplier;

/**
 * A failure with as few choices as were found in so many tries, still of the same promise: another
 * one might be another fault.
 */
record Shrunk(String promise, List<Integer> choices) {
  private static final int MOST_TRIES = 2_000;

  /** The mutation is made anew for every try: some keep state. */
  static Shrunk from(Generator generator, SimulationResult failed, Supplier<Mutation> mutation) {
    String promise = failed.killer();
    var shrinker =
        new Shrinker(
            choices ->
                Simulation.run(generator, Choices.again(choices), mutation.get(), false)
                    .breaks(promise),
            Cuts.NONE,
            MOST_TRIES);
    return new Shrunk(promise, shrinker.shrink(failed.choices()));
  }

  @Override
  public String toString() {
    return "%s with %d choices that are not dull: %s"
        .formatted(promise, ChoiceText.count(choices), ChoiceText.write(choices));
  }
}
