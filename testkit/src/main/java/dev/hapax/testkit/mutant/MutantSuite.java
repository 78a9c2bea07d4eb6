package dev.hapax.testkit.mutant;

import java.util.List;

/** Mutants that are tried together. It has a constructor without parameters. */
public interface MutantSuite {
  List<Mutant> mutants();

  /** How many seeds each mutant is given to die in. */
  int mostSeeds();
}
