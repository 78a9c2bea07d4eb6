package dev.hapax.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a run. It is the run's input, so that one body can be every flow.
 *
 * @param key of the run
 */
public record Plan(String key, List<PlannedStep> steps) {
  private static final int RUN_KEYS = 5;
  private static final int EFFECT_KEYS = 3;
  private static final int CONTENTS = 3;
  private static final int DEEPEST = 2;

  /** The kind of a step. */
  enum Does {
    COMPUTE,
    READ,
    SEND,
    SLEEP,
    BRANCHES,
    LOOP,
    CALLBACK,
    APPROVAL,
    KV,
    LOCK,
    CHILD,
    PUBLISH,
    RESOURCE,
    LIMITED;

    /** Returns how many steps it holds at least. */
    int fewestParts() {
      return switch (this) {
        case BRANCHES, LOOP, CHILD -> 1;
        default -> 0;
      };
    }

    boolean hasParts() {
      return switch (this) {
        case BRANCHES, LOOP, CALLBACK, APPROVAL, LOCK, CHILD -> true;
        default -> false;
      };
    }
  }

  /**
   * One step.
   *
   * @param item the item of a loop that it belongs to
   * @param destination of a sending
   * @param key the business key of a sending
   * @param version of an update; 0 for none
   * @param caught whether the body goes on when it fails
   * @param parts the steps inside it
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
      boolean caught,
      List<PlannedStep> parts) {

    /** In every other round of a rework a step has other content. */
    PlannedStep inRound(int round) {
      return round % 2 == 1 ? this : saying(content + "-reworked");
    }

    /** The same step with another content. */
    PlannedStep saying(String other) {
      return new PlannedStep(
          does, name, item, destination, key, other, version, seconds, caught, parts);
    }
  }

  /** Draws a plan with few keys and few contents, so that runs collide. */
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
    SimulatedDestination to =
        SimulatedDestination.ALL.get(choices.below(SimulatedDestination.ALL.size()));
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
        choices.below(3) == 1,
        List.of());
  }

  /**
   * The parts that the plans of one seed are made of.
   *
   * @param features kinds of steps
   * @param destinations that they send to; if they are few, runs meet at the same effects
   * @param sendsMuch whether most steps send something
   */
  record Palette(List<Does> features, List<SimulatedDestination> destinations, boolean sendsMuch) {
    static Palette draw(Choices choices, List<Does> features) {
      int all = SimulatedDestination.ALL.size();
      int count = choices.oneOf(all, 3, 1);
      int first = choices.below(all - count + 1);
      return new Palette(features, SimulatedDestination.ALL.subList(first, first + count), false);
    }

    /** One to four destinations; at half of them people must decide what is in doubt. */
    static Palette few(Choices choices, List<Does> features) {
      List<SimulatedDestination> few = new ArrayList<>();
      int count = 1 + choices.below(4);
      for (int i = 0; i < count; i++) {
        few.add(
            choices.below(2) == 1
                ? SimulatedDestination.named(choices.oneOf("mail", "mail", "voucher"))
                : SimulatedDestination.ALL.get(choices.below(SimulatedDestination.ALL.size())));
      }
      return new Palette(features, few, true);
    }
  }

  /** Draws a plan with these features, in nested steps. */
  static Plan draw(Choices choices, Palette palette) {
    List<PlannedStep> steps = new ArrayList<>();
    int count = (palette.sendsMuch() ? 2 : 1) + choices.below(3);
    for (int i = 0; i < count; i++) {
      steps.add(mixed(choices, "-" + i, palette, DEEPEST));
    }
    return new Plan("run-" + choices.below(RUN_KEYS), steps);
  }

  /** A name belongs to one kind of step, also when a corrected input plans others. */
  private static PlannedStep mixed(Choices choices, String place, Palette palette, int deepest) {
    List<Does> features = palette.features();
    Does does =
        palette.sendsMuch() && choices.below(2) == 1
            ? Does.SEND
            : choices.oneOf(Does.SEND, Does.SEND, Does.COMPUTE, Does.READ, Does.SLEEP);
    if (deepest > 0 && !features.isEmpty() && choices.below(3) != 0) {
      does = features.get(choices.below(features.size()));
    }
    int count = does.hasParts() ? does.fewestParts() + choices.below(2) : 0;
    List<PlannedStep> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(mixed(choices, place + "-" + i, palette, deepest - 1));
    }
    return new PlannedStep(
        does,
        (features.contains(does) ? does.name().toLowerCase(Locale.ROOT) : "step") + place,
        null,
        palette.destinations().get(choices.below(palette.destinations().size())).name(),
        "key-" + choices.below(EFFECT_KEYS),
        "content-" + choices.below(CONTENTS),
        choices.below(4),
        1 + choices.below(choices.oneOf(5, 600, 9000)),
        choices.below(3) == 1,
        parts);
  }
}
