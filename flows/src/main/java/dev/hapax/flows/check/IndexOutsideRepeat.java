package dev.hapax.flows.check;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code repeat} in a step that is not part of a repetition. */
final class IndexOutsideRepeat implements Rule {
  private static final ScopedWord REPEAT =
      new ScopedWord(
          "repeat",
          step -> step.kind().isRepeated(),
          IndexOutsideRepeat::beforeTheFirstRound,
          "'repeat' is known only in the steps and the condition of a repeat",
          "Move step '%s' into a repeat, or use another value.");

  @Override
  public String id() {
    return "index-outside-repeat";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    REPEAT.check(flow, report);
  }

  /** The fields beside the kind. */
  private static Stream<Template> beforeTheFirstRound(FlowStep step) {
    Set<Template> conditions = step.kind().templates().collect(Collectors.toSet());
    return step.templates().filter(template -> !conditions.contains(template));
  }
}
