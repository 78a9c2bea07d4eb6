package dev.hapax.flows.connection;

import java.util.List;

/**
 * The result of a trial of a connection.
 *
 * @param stages in their order; the first that failed is the last one
 */
public record TrialReport(Connection connection, List<TrialStage> stages) {
  public TrialReport {
    stages = List.copyOf(stages);
  }

  public boolean isOk() {
    return stages.stream().noneMatch(stage -> stage.outcome().equals(TrialStage.FAILED));
  }
}
