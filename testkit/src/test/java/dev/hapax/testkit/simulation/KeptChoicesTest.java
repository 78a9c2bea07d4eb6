package dev.hapax.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Shrunk lists of choices that broke a promise once, in {@code kept-choices.txt}. Those of a mutant
 * still break it, those of the real engine ({@code REAL}, once a bug is fixed) never again.
 */
class KeptChoicesTest {
  private static final String REAL = "REAL";
  private static final int MOST_SEEDS = 200;

  /** A line of the file. */
  record Kept(String engine, String promise, List<Integer> choices) {
    static Kept read(String line) {
      String[] parts = line.split(" ", -1);
      return new Kept(parts[0], parts[1], ChoiceText.read(parts[2]));
    }

    static Kept of(String engine, Shrunk shrunk) {
      return new Kept(engine, shrunk.promise(), shrunk.choices());
    }

    @Override
    public String toString() {
      return engine + " " + promise + " " + ChoiceText.write(choices);
    }
  }

  static List<Kept> kept() throws IOException {
    try (InputStream file = KeptChoicesTest.class.getResourceAsStream("kept-choices.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(Kept::read)
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("kept")
  void the_real_engine_keeps_the_promise(Kept kept) {
    var result = Simulation.run(Choices.again(kept.choices()), Mutation.NONE, false);

    assertThat(result.broken()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("kept")
  void the_mutant_still_breaks_it(Kept kept) {
    if (kept.engine().equals(REAL)) {
      return;
    }
    var mutant = Mutant.valueOf(kept.engine());

    var result =
        Simulation.run(mutant.generator(), Choices.again(kept.choices()), mutant.mutation(), false);

    assertThat(result.breaks(kept.promise()))
        .as(
            "the engine's course has changed; for a new line run this test with -Dhapax.shrink=%s",
            mutant)
        .isTrue();
  }

  /** Prints a line for the file. */
  @Test
  @EnabledIfSystemProperty(named = "hapax.shrink", matches = ".+")
  void a_seed_that_kills_the_mutant_is_shrunk() {
    var mutant = Mutant.valueOf(System.getProperty("hapax.shrink"));
    for (long seed = 1; seed <= MOST_SEEDS; seed++) {
      var result = Simulation.run(mutant.generator(), Choices.of(seed), mutant.mutation(), false);
      if (!result.broken().isEmpty()) {
        System.out.println(
            Kept.of(mutant.name(), Shrunk.from(mutant.generator(), result, mutant::mutation)));
        return;
      }
    }
  }
}
