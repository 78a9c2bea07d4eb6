package dev.hapax.trial.cases;

import dev.hapax.flow.Failure;
import dev.hapax.trial.sandbox.SandboxRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a case ended.
 *
 * @param run the id of its first run; null if none was started
 * @param status null if no run was started
 * @param refused the code by which the last start was refused; null if it was not
 * @param refusal why it was refused
 * @param outcome of the last delivery; null if there was none
 * @param sends the requests that change something, in the order of the report
 */
public record Ending(
    @Nullable String run,
    @Nullable String status,
    @Nullable Object output,
    @Nullable Failure error,
    @Nullable String refused,
    @Nullable String refusal,
    @Nullable String outcome,
    List<SandboxRequest> sends,
    List<String> reviews,
    List<String> history,
    int duplicates) {
  /** Returns how often a step happened at its destination. */
  int applied(String step) {
    return sends.stream()
        .filter(request -> request.from().step().equals(step))
        .mapToInt(SandboxRequest::times)
        .sum();
  }
}
