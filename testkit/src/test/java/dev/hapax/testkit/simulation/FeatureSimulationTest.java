package dev.hapax.testkit.simulation;

/** Bodies that mix all features of the engine, under every fault. */
class FeatureSimulationTest extends ManySeeds {
  FeatureSimulationTest() {
    super(Generator.MIXED, Branches.REQUIRED_OF_FEATURES);
  }
}
