package dev.hapax.testkit.simulation;

/** Bodies that mix all features of the engine, under every fault. */
class FeatureSimulationTest extends ManySeeds {
  FeatureSimulationTest() {
    super(Generator.MIXED, RequiredBranches.OF_FEATURES);
  }
}
