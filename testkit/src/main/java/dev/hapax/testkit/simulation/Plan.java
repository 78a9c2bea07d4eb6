package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run is to do. It is the run's input, so that one body can be every flow.
 *
 * @param key of the run
 */
public record Plan(String key, List<PlannedStep> steps) {
  private static final int RUN_KEYS = 5;
  private static final int EFFECT_KEYS = 3;
  private static final int CONTENTS = 3;

  /** What kind of step it is. */
  enum Does {
    COMPUTE,
    READ,
    SEND,
    SLEEP
  }

  /**
   * One step.
   *
   * @param item the item of a loop that it belongs to
   * @param destination of a sending
   * @param key the business key of a sending
   * @param version of an update; 0 for none
   * @param caught whether the body goes on when it fails
   */
  record PlannedStep(
      Does does,
      String name,
      @Nullable String item,
      String destination,
      String key,
      String content,
      long version,
      int seconds,
      boolean caught) {}

  /** Few keys and few contents, so that runs collide. */
  static Plan draw(Choices choices) {
    List<PlannedStep> steps = new ArrayList<>();
    int count = 1 + choices.below(5);
    for (int i = 0; i < count; i++) {
      steps.add(step(choices, i));
    }
    return new Plan("run-" + choices.below(RUN_KEYS), steps);
  }

  private static PlannedStep step(Choices choices, int index) {
    Does does = choices.oneOf(Does.SEND, Does.SEND, Does.SEND, Does.COMPUTE, Does.READ, Does.SLEEP);
    Destination to = Destination.ALL.get(choices.below(Destination.ALL.size()));
    boolean inLoop = choices.below(4) == 3;
    return new PlannedStep(
        does,
        inLoop ? "loop" : "step-" + index,
        inLoop ? "item-" + index : null,
        to.name(),
        "key-" + choices.below(EFFECT_KEYS),
        "content-" + choices.below(CONTENTS),
        choices.below(4),
        1 + choices.below(choices.oneOf(5, 600, 9000)),
        choices.below(3) == 1);
  }

  /** The same key with something else to do. */
  Plan corrected(Choices choices) {
    return new Plan(key, draw(choices).steps());
  }
}
