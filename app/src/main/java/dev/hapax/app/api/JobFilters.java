package dev.hapax.app.api;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.JobItemState;
import dev.hapax.flow.JobSelection;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What requests select: the items of a job, and results by their state. */
final class JobFilters {
  private final StartableFlows flows;

  JobFilters(StartableFlows flows) {
    this.flows = flows;
  }

  /** Labels count as they are now. */
  JobSelection of(Call call, @Nullable JobSelection given) {
    JobSelection selection = given == null ? JobSelection.NONE : given;
    String label = selection.label();
    if (label == null) {
      return selection;
    }
    if (selection.flows() != null) {
      throw Problem.invalidInput("filter: expected label or flows, got both");
    }
    return selection.flows(new ArrayList<>(flows.labelled(call.actor().tenant(), label)));
  }

  /** Returns the state that this word means; null for none. */
  static @Nullable JobItemState state(@Nullable String word) {
    if (word == null) {
      return null;
    }
    return Arrays.stream(JobItemState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalidInput(
                    "result: expected one of %s, got '%s'"
                        .formatted(
                            Arrays.stream(JobItemState.values()).map(JobItemState::word).toList(),
                            word)));
  }
}
