package dev.hapax.flows.interpret;

import dev.hapax.flow.AnswerMissing;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.PlannedRun;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepRun;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    int mark = plan.reach();
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
    boolean before = plan.momentary(isMomentary(step));
    try {
      work.run();
    } catch (AnswerMissing e) {
      missed(frame, step, e, plan.reached() == mark);
    } finally {
      var _ = plan.momentary(before);
    }
  }

  /** What was not reached inside the step is not known; what was reached has said it itself. */
  private void missed(Frame frame, FlowStep step, AnswerMissing missing, boolean isAtItsBegin) {
    if (isAtItsBegin) {
      leaveOut(frame, step, List.of(missing.step()));
    } else if (step.kind().isRepeated()) {
      step.walk(frame::miss); // its rounds have frames of their own
    } else {
      frame.miss(step);
      tools(step, List.of(step.id()));
    }
  }

  /** A model may start these flows before it answers. */
  private void tools(FlowStep step, List<String> dependsOn) {
    for (String flow : step.kind().toolFlows()) {
      plan.unknown(step.id(), ReplayPlan.Type.RUN, flow, null, dependsOn);
    }
  }

  /** Whether its texts use the time, a random value or the fence of a lock. */
  private static boolean isMomentary(FlowStep step) {
    return step.templates()
        .anyMatch(text -> text.reach().momentCall() != null || text.reach().reaches("lock"));
  }

  /** Its condition, its request or its key is not known, and so nothing inside it is. */
  private void leaveOut(Frame frame, FlowStep step, List<String> dependsOn) {
    step.walk(each -> leaveOutAlone(frame, each, dependsOn));
  }

  private void leaveOutAlone(Frame frame, FlowStep step, List<String> dependsOn) {
    frame.miss(step);
    var effect = step.effect();
    String courier = step.kind().courier();
    String child = step.kind().childFlow();
    if (effect != null) {
      String name = effect.name();
      plan.unknown(
          step.id(),
          ReplayPlan.Type.EFFECT,
          name == null ? file.name() + "/" + step.id() : name,
          keyOfOnce(frame, effect),
          dependsOn);
    }
    if (courier != null) {
      plan.unknown(step.id(), ReplayPlan.Type.MESSAGE, courier, null, dependsOn);
    }
    if (child != null) {
      plan.unknown(step.id(), ReplayPlan.Type.RUN, child, null, dependsOn);
    }
    tools(step, dependsOn);
  }

  /**
   * Ends the walk of a round that lacks an answer. Unless it is the last one, other rounds follow,
   * and nothing of them is known.
   */
  void refuseMissing(Frame frame, Frame round, FlowStep step, StepRun.Rounds rounds, Last last) {
    List<String> missing =
        CarriedSteps.idsIn(step).stream().filter(round::isMissing).sorted().toList();
    if (missing.isEmpty()) {
      return;
    }
    boolean isKnown =
        Stream.of(rounds.until(), rounds.whilst())
            .filter(Objects::nonNull)
            .flatMap(text -> text.reach().steps().stream())
            .noneMatch(round::isMissing);
    if (!isKnown || !last.isLast()) {
      rounds.steps().forEach(inner -> leaveOut(frame, inner, missing));
    }
    throw new AnswerMissing(
        step.id(), "step '%s' repeats, and has no answer of %s yet".formatted(step.id(), missing));
  }

  /** Whether no other round follows. */
  interface Last {
    boolean isLast();
  }

  /**
   * The key of an effect that happens once per key whatever its content is; null if the key is not
   * known yet.
   */
  private static @Nullable String keyOfOnce(Frame frame, EffectContract effect) {
    boolean isOnce = effect.kind() == EffectKind.CREATE || effect.kind() == EffectKind.NOTIFY;
    boolean isReused = effect.onRework() == null || effect.onRework() == OnRework.REUSE;
    if (!isOnce || !isReused || effect.key().reach().steps().stream().anyMatch(frame::isMissing)) {
      return null;
    }
    try {
      return EffectKey.checked("effect", effect.key().text(frame.scope()));
    } catch (ExpressionFailed | IllegalArgumentException e) {
      return null;
    }
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
