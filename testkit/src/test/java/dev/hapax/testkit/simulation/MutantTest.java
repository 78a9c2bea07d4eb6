package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A mutant that lives is a hole in the checkers: each dies within 200 seeds. */
class MutantTest {
  private static final int MOST_SEEDS = 200;
  private static final int ENOUGH_KILLS = 5;

  @ParameterizedTest
  @EnumSource
  void dies(Mutant mutant) {
    Map<String, Integer> killers = new TreeMap<>();
    long firstKill = 0;
    int kills = 0;
    for (long seed = 1; seed <= MOST_SEEDS && kills < ENOUGH_KILLS; seed++) {
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

    assertThat(kills).as("kills of " + mutant).isPositive();
  }
}
