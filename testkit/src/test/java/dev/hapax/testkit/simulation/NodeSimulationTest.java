package dev.hapax.testkit.simulation;

/** One to five nodes on one store, under every fault. */
class NodeSimulationTest extends ManySeeds {
  NodeSimulationTest() {
    super(Generator.NODES, 5000, RequiredBranches.OF_NODES);
  }
}
