package dev.hapax.testkit.mutant;

import dev.hapax.testkit.simulation.Choices;
import dev.hapax.testkit.simulation.Generator;
import dev.hapax.testkit.simulation.Simulation;
import java.util.List;
import java.util.stream.Stream;

/** Mutants of the engine, which its simulation must notice. */
final class EngineMutants implements MutantSuite {
  private static final int MOST_SEEDS = 1000;

  /** Several times as many as the real engine needs in most seeds. */
  private static final int MOST_TURNS = 60_000;

  @Override
  public List<Mutant> mutants() {
    return Stream.of(
            RuleMutants.all(),
            EffectMutants.all(),
            RunMutants.all(),
            DoorMutants.all(),
            NodeMutants.all(),
            PoisonMutants.all())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public int mostSeeds() {
    return MOST_SEEDS;
  }

  /** Noticed by the sequences of steps, effects and sleeps. */
  static Mutant core(String fault, String type, String text, String instead) {
    return new Mutant(fault, type, text, instead, seed -> broken(Generator.CORE, seed));
  }

  /** Noticed where bodies mix all features. */
  static Mutant mixed(String fault, String type, String text, String instead) {
    return new Mutant(fault, type, text, instead, seed -> broken(Generator.MIXED, seed));
  }

  /** Noticed where nodes share a store. */
  static Mutant nodes(String fault, String type, String text, String instead) {
    return new Mutant(fault, type, text, instead, seed -> broken(Generator.NODES, seed));
  }

  static List<String> broken(Generator generator, long seed) {
    return Simulation.broken(generator, Choices.of(seed), MOST_TURNS);
  }
}
