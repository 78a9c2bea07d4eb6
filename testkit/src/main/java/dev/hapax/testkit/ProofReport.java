package dev.hapax.testkit;

import dev.hapax.flow.HistoryEntry;
import dev.hapax.flow.RunStatus;
import java.time.Duration;
import java.util.List;

/**
 * What a proof did and found.
 *
 * @param flow the name of the flow
 * @param status how the run ends when nothing goes wrong
 * @param runs how many runs it took
 * @param commits of the undisturbed run
 * @param requests of the undisturbed run
 * @param reviews how often a person was asked, in all runs
 * @param problems what happened twice or not at all, and where; empty if every effect happened once
 * @param untried sentences about the boundaries that were not tried
 * @param history of the undisturbed run
 */
public record ProofReport(
    String flow,
    RunStatus status,
    int runs,
    int commits,
    int requests,
    int reviews,
    List<ProvenEffect> effects,
    List<ProofProblem> problems,
    List<String> untried,
    List<HistoryEntry> history,
    Duration took) {

  /** Whether every effect happened once in each run. */
  public boolean holds() {
    return problems.isEmpty();
  }

  /** Returns the counts in a sentence, and a line per effect. */
  @Override
  public String toString() {
    var text = new StringBuilder();
    text.append(
        "%d runs: something went wrong at each of %d commits and %d requests, a person was asked %d times, and %s"
            .formatted(
                runs,
                commits,
                requests,
                reviews,
                effects.isEmpty()
                    ? "the flow has no effect"
                    : holds() ? "every effect happened once" : "not every effect happened once"));
    for (ProvenEffect effect : effects) {
      text.append(
          "%n%s (%s): sent %s, applied %s, settled by %s, reviews %d"
              .formatted(
                  effect.effect(),
                  effect.guard(),
                  effect.sent(),
                  effect.applied(),
                  effect.settledByText(),
                  effect.reviews()));
    }
    untried.forEach(line -> text.append("%nnot tried: %s".formatted(line)));
    return text.toString();
  }
}
