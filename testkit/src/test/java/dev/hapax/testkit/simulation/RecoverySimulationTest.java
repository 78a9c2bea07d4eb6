package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** People replay, settle, import, adopt and start jobs at any moment, under every fault. */
class RecoverySimulationTest extends ManySeeds {
  RecoverySimulationTest() {
    super(Generator.RECOVERY, 5000, RequiredBranches.OF_RECOVERY);
  }

  /** Beyond the seeds of the build; it recorded the answer twice once. */
  @Test
  void two_late_answers_at_the_same_instant_are_on_record_once() {
    var result = Simulation.run(Generator.RECOVERY, Choices.of(7900), Mutation.NONE, false);

    assertThat(result.broken()).isEmpty();
  }
}
