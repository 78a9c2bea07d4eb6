package dev.hapax.flows.interpret;

import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.List;

/**
 * The steps of a file while a replay is planned. A step that reads an answer that is not there yet
 * is left out, and its effects are noted without a request; the others are walked.
 */
final class PlannedSteps {
  private final FlowFile file;
  private final PlannedRun plan;

  PlannedSteps(FlowFile file, PlannedRun plan) {
    this.file = file;
    this.plan = plan;
  }

  /** Carries out a step, or leaves it out. */
  void step(Frame frame, FlowStep step, Frame.Section work) throws Exception {
    List<String> dependsOn =
        step.templates()
            .flatMap(text -> text.reach().steps().stream())
            .filter(frame::isMissing)
            .distinct()
            .sorted()
            .toList();
    if (!dependsOn.isEmpty()) {
      leaveOut(frame, step, dependsOn);
      return;
    }
    try {
      work.run();
    } catch (AnswerMissing e) {
      frame.miss(step);
    }
  }

  /** Its condition, its request or its key is not known, and so nothing inside it is. */
  private void leaveOut(Frame frame, FlowStep step, List<String> dependsOn) {
    step.walk(
        each -> {
          frame.miss(each);
          var effect = each.effect();
          if (effect != null) {
            String name = effect.name();
            plan.unknown(each.id(), name == null ? file.name() + "/" + each.id() : name, dependsOn);
          }
        });
  }

  /** A block has no answer if one of its steps has none. */
  static void refuseMissing(Frame frame, FlowStep step) {
    for (String id : CarriedSteps.idsIn(step)) {
      if (frame.isMissing(id)) {
        throw new AnswerMissing(step.id(), "step '%s' has no answer yet".formatted(id));
      }
    }
  }
}
