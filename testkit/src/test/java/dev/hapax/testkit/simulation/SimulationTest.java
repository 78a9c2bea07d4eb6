package dev.hapax.testkit.simulation;

/** Steps, effects and sleeps, under every fault. */
class SimulationTest extends ManySeeds {
  SimulationTest() {
    super(Generator.CORE, 6000, RequiredBranches.OF_CORE);
  }
}
