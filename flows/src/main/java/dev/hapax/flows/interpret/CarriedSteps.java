package dev.hapax.flows.interpret;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which results of a round are kept for the next one and for the steps behind the repetition: those
 * that are read there, and that of the last step, which is the output. The others are read only in
 * their own round, and would be stored twice.
 */
final class CarriedSteps {
  private final Set<String> readBefore = new HashSet<>();
  private boolean readsAll;

  private CarriedSteps() {}

  /** Returns the ids of these steps, given the inner steps of the repetition. */
  static Set<String> of(FlowFile file, FlowStep repetition) {
    List<FlowStep> inner = repetition.inner().getFirst();
    Set<String> own = idsIn(repetition);
    var reading = new CarriedSteps();
    reading.read(inner, new HashSet<>());
    if (reading.readsAll) {
      return own;
    }
    var carried = new LinkedHashSet<>(own);
    carried.removeIf(
        id ->
            !reading.readBefore.contains(id)
                && !isReadOutside(file, own, id)
                && !id.equals(inner.getLast().id()));
    return carried;
  }

  /** Returns the ids of all steps inside this one. */
  static Set<String> idsIn(FlowStep step) {
    var ids = new LinkedHashSet<String>();
    step.inner().forEach(steps -> steps.forEach(inner -> inner.walk(each -> ids.add(each.id()))));
    return ids;
  }

  /**
   * Notes what these steps may read of the round before.
   *
   * @param known the steps that have a result of this round in any case; these are added
   */
  private void read(List<FlowStep> steps, Set<String> known) {
    for (FlowStep step : steps) {
      step.templates().forEach(text -> note(text, known));
      var after = new HashSet<>(known);
      for (List<FlowStep> branch : step.inner()) {
        var inBranch = new HashSet<>(known); // it sees no other branch
        read(branch, inBranch);
        after.addAll(inBranch);
      }
      if (runsAllInside(step)) {
        known.addAll(after);
      }
      known.add(step.id()); // also one that is skipped or passed over: its result is then empty
    }
  }

  private void note(Template text, Set<String> known) {
    readsAll |= text.reach().paths().contains(List.of("steps"));
    text.reach().steps().stream().filter(id -> !known.contains(id)).forEach(readBefore::add);
  }

  /** Whether each of its inner steps has a result of this round when it has ended. */
  private static boolean runsAllInside(FlowStep step) {
    return step.when() == null
        && step.forEach() == null
        && step.onError() != FlowStep.OnError.CONTINUE
        && !step.kind().isRepeated() // maybe in no round
        && !step.kind().takesOneBranch();
  }

  private static boolean isReadOutside(FlowFile file, Set<String> own, String id) {
    Stream<Template> ofSteps =
        file.allSteps().stream()
            .filter(step -> !own.contains(step.id()))
            .flatMap(FlowStep::templates);
    Stream<Template> ofEnd = file.output() == null ? Stream.empty() : file.output().templates();
    return Stream.concat(ofSteps, ofEnd)
        .anyMatch(
            text ->
                text.reach().steps().contains(id)
                    || text.reach().paths().contains(List.of("steps")));
  }
}
