package dev.hapax.app.dev;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.trial.cases.StandIn;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What two files of the folder say about the systems outside: which hosts are really reached, and
 * how the sandbox behaves instead of the others.
 */
public record DevOutside(DevAllowList allowed, StandIn standIn) {
  /** The names of the files. */
  static final Set<String> FILES = Set.of(DevAllowList.FILE, StandIn.FILE);

  /**
   * Takes over one of the files, and prints what came of it.
   *
   * @param text null if it is gone, or no text
   */
  void read(String file, @Nullable String text, DevScreen screen) {
    boolean isStandIn = file.equals(StandIn.FILE);
    List<FileProblem> problems = isStandIn ? standIn.read(text) : allowed.read(text);
    problems.forEach(problem -> screen.finding(DevReload.note(problem), ""));
    if (problems.isEmpty()) {
      screen.say(isStandIn ? standsIn() : reached());
    }
  }

  private String reached() {
    return allowed.all().isEmpty()
        ? "nothing outside is reached"
        : "really reached: " + String.join(", ", allowed.all());
  }

  private String standsIn() {
    var steps = new TreeSet<>(standIn.steps().keySet());
    return steps.isEmpty()
        ? StandIn.FILE + " says nothing: the sandbox makes up its answers"
        : "%s answers for %s".formatted(StandIn.FILE, String.join(", ", steps));
  }

  /** Prints the steps of the stand-in that no flow has: their answers would never be given. */
  void tellUnknownSteps(Collection<FlowFile> flows, DevScreen screen) {
    var known = new TreeSet<String>();
    for (FlowFile flow : flows) {
      for (FlowStep step : flow.allSteps()) {
        for (String name : List.of(step.id(), step.id() + ".undo")) {
          known.add(name);
          known.add(flow.name() + "/" + name);
        }
      }
    }
    standIn
        .steps()
        .forEach(
            (step, place) -> {
              if (!known.contains(step)) {
                screen.finding(
                    DevScreen.Note.error(
                        place.toString(),
                        "unknown-step",
                        "no flow of this folder has a step '%s'".formatted(step),
                        "Name a step, or FLOW/STEP."),
                    "");
              }
            });
  }
}
