package dev.hapax.testkit.simulation;

/** People replay, settle, import, adopt and start jobs at any moment, under every fault. */
class RecoverySimulationTest extends ManySeeds {
  RecoverySimulationTest() {
    super(Generator.RECOVERY, 5000, RequiredBranches.OF_RECOVERY);
  }
}
