package dev.hapax.testkit.simulation;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Draws how a run is to be replayed: from any of its steps, with corrections, on another release,
 * with waits that are asked again and effects that are sent again. Some wishes make no sense.
 */
final class DrawnReplays {
  private static final int MOST_EFFECTS = 200;
  private static final int KINDS = 12;

  private final Outside outside;
  private int drawn;

  DrawnReplays(Outside outside) {
    this.outside = outside;
  }

  ReplayWish draw(Run run) {
    Choices choices = outside.with().choices();
    List<Step> steps = steps(run, false);
    ReplayWish wish = ReplayWish.ALL;
    if (!steps.isEmpty() && choices.below(2) == 1) {
      Step from = steps.get(choices.below(steps.size()));
      wish = ReplayWish.from(from.name(), choices.below(6) == 1 ? null : from.item());
    }
    int more = choices.below(4);
    for (int i = 0; i < more; i++) {
      wish = with(wish, run, steps);
    }
    return wish;
  }

  private ReplayWish with(ReplayWish wish, Run run, List<Step> steps) {
    Choices choices = outside.with().choices();
    return switch (choices.below(KINDS)) {
      case 0, 1 -> wish.onRelease(1 + choices.below(PlannedFlows.NEWEST));
      case 2, 3, 4 -> wish.withInput(Json.write(corrected(run)));
      case 5, 6 ->
          steps.isEmpty()
              ? wish
              : wish.withOutput(
                  steps.get(choices.below(steps.size())).name(), "\"corrected-" + ++drawn + "\"");
      case 7, 8 -> {
        List<Step> waits = steps(run, true);
        yield waits.isEmpty() ? wish : wish.askAgain(waits.get(choices.below(waits.size())).name());
      }
      default -> forcing(wish, run);
    };
  }

  /** The steps of the run, in the order of its journal; waits alone, or all. */
  private List<Step> steps(Run run, boolean onlyWaits) {
    Set<Step> steps = new LinkedHashSet<>();
    outside.durable().journal(run.number()).stream()
        .flatMap(row -> row.readEntries().stream())
        .filter(entry -> !onlyWaits || entry instanceof WaitEntry)
        .map(JournalEntry::step)
        .forEach(
            step -> {
              if (step != null && !step.isUndo()) {
                steps.add(step);
              }
            });
    return List.copyOf(steps);
  }

  /** One step has other content, another key, or is left out. */
  private Plan corrected(Run run) {
    Choices choices = outside.with().choices();
    Plan plan = Json.read(run.input(), Plan.class);
    List<Plan.PlannedStep> steps = new ArrayList<>(plan.steps());
    if (steps.isEmpty()) {
      return plan;
    }
    int which = choices.below(steps.size());
    for (int tries = 0; tries < 2 && steps.get(which).does() == Plan.Does.COMPUTE; tries++) {
      which = choices.below(steps.size());
    }
    Plan.PlannedStep one = steps.get(which);
    if (steps.size() > 1 && choices.below(4) == 1) {
      steps.remove(which);
    } else {
      steps.set(which, corrected(one, choices));
    }
    return new Plan(plan.key(), steps);
  }

  private static Plan.PlannedStep corrected(Plan.PlannedStep step, Choices choices) {
    if (!step.parts().isEmpty()) {
      List<Plan.PlannedStep> parts = new ArrayList<>(step.parts());
      int which = choices.below(parts.size());
      parts.set(which, corrected(parts.get(which), choices));
      return new Plan.PlannedStep(
          step.does(),
          step.name(),
          step.item(),
          step.destination(),
          step.key(),
          step.content(),
          step.version(),
          step.seconds(),
          step.caught(),
          parts);
    }
    boolean isOtherKey = choices.below(5) == 1;
    return new Plan.PlannedStep(
        step.does(),
        step.name(),
        step.item(),
        step.destination(),
        isOtherKey ? "key-" + choices.below(3) : step.key(),
        isOtherKey ? step.content() : "content-" + choices.below(2) + "-corrected",
        step.version(),
        step.seconds(),
        step.caught(),
        step.parts());
  }

  /** Mostly an effect of the run itself, now and then one of another run. */
  private ReplayWish forcing(ReplayWish wish, Run run) {
    Choices choices = outside.with().choices();
    boolean isAny = choices.below(4) == 1;
    List<EffectRecord> effects =
        outside
            .durable()
            .effects(
                EffectFilter.of(UnreliableWorld.TENANT).state(EffectState.DONE).limit(MOST_EFFECTS))
            .stream()
            .filter(row -> isAny || row.run() == run.number())
            .toList();
    if (effects.isEmpty()) {
      return wish;
    }
    EffectRecord row = effects.get(choices.below(effects.size()));
    return wish.forcing(row.id(), "forced for reason " + ++drawn);
  }
}
