package dev.hapax.testkit.simulation;

/** Steps, effects and sleeps, under every fault. */
class SimulationTest extends ManySeeds {
  SimulationTest() {
    super(Generator.CORE, RequiredBranches.OF_CORE);
  }
}
