package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A mutant that lives is a hole in the checkers: nearly each dies within 200 seeds, and those that
 * need a rare course of events within 600.
 */
@Tag("simulation")
class MutantTest {
  private static final int USUAL_SEEDS = 200;
  private static final int MOST_SEEDS = 600;
  private static final int ENOUGH_KILLS = 5;

  @ParameterizedTest
  @EnumSource
  void dies(Mutant mutant) {
    Map<String, Integer> killers = new TreeMap<>();
    long firstKill = 0;
    int kills = 0;
    for (long seed = 1; kills < (seed <= USUAL_SEEDS ? ENOUGH_KILLS : 1); seed++) {
      assertThat(seed).as("seeds that " + mutant + " has lived through").isLessThan(MOST_SEEDS);
      var result = Simulation.run(mutant.generator(), Choices.of(seed), mutant.mutation(), false);
      if (!result.broken().isEmpty()) {
        firstKill = firstKill == 0 ? seed : firstKill;
        kills++;
        result.broken().stream()
            .map(how -> how.substring(0, how.indexOf(':')))
            .distinct()
            .forEach(killer -> killers.merge(killer, 1, Integer::sum));
      }
    }
    System.out.printf("%s: first killed by seed %d; killers %s%n", mutant, firstKill, killers);
  }
}
