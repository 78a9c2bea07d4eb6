package dev.hapax.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.retention.RetentionRule;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test of the test: what is no fault lives, and what cannot be tried says so. */
class MutantsTest {
  private static final String RULE = "dev.hapax.run.retention.RetentionRule";

  @Test
  void only_a_mutant_that_a_seed_notices_by_itself_dies(@TempDir Path directory) throws Exception {
    assertThat(Mutants.survivors(Suspects.class, directory))
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).contains("changes nothing", "survives"),
            one -> assertThat(one).contains("text is gone", "holds this 0 times"),
            one -> assertThat(one).contains("does not compile"),
            one -> assertThat(one).contains("changes a static field", "is not done again"),
            one -> assertThat(one).contains("seed is broken anyway", "is broken without it"));
  }

  /** In the process of its own. */
  static final class Suspects implements MutantSuite {
    @Override
    public int mostSeeds() {
      return 3;
    }

    @Override
    public List<Mutant> mutants() {
      String text = "return isHeld ? now.plus(LOOK_AGAIN) : null;";
      return List.of(
          new Mutant("it changes nothing", RULE, text, text, _ -> broken()),
          new Mutant("it is noticed", RULE, text, "return null;", _ -> broken()),
          new Mutant("its text is gone", RULE, "no such text", "", _ -> broken()),
          new Mutant(
              "it changes a static field",
              RULE,
              "LOOK_AGAIN = Duration.ofDays(1);",
              "LOOK_AGAIN = Duration.ofDays(2);",
              _ -> broken()),
          new Mutant("it does not compile", RULE, text, "return 7;", _ -> broken()),
          new Mutant(
              "its seed is broken anyway", RULE, text, "return null;", _ -> List.of("it: is")));
    }

    /** What is held stays. */
    private static List<String> broken() {
      Instant now = Instant.EPOCH;
      Instant until = RetentionRule.runStaysUntil(now, now, now, Duration.ZERO, true);
      return until == null ? List.of("Held: it goes") : List.of();
    }
  }
}
