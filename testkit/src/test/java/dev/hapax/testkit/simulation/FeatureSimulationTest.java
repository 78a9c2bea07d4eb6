package dev.hapax.testkit.simulation;

/** Bodies that mix all features of the engine, under every fault. */
class FeatureSimulationTest extends ManySeeds {
  FeatureSimulationTest() {
    super(Generator.MIXED, 6000, RequiredBranches.OF_FEATURES);
  }
}
