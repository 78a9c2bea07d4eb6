package dev.hapax.trial.cases;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a case.
 *
 * @param ending null if it did not come to an end
 * @param differences from what was expected; empty if it passed
 */
public record CaseResult(
    TestCase of, @Nullable Ending ending, List<String> differences, Duration took) {
  public CaseResult {
    differences = List.copyOf(differences);
  }

  public boolean isPassed() {
    return differences.isEmpty();
  }
}
