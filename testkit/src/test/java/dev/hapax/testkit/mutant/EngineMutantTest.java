package dev.hapax.testkit.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mutant of the engine that lives is a hole in the simulation. */
@Tag("simulation")
@Order(1)
class EngineMutantTest {
  @Test
  void every_mutant_dies(@TempDir Path directory) throws Exception {
    assertThat(Mutants.survivors(EngineMutants.class, directory)).isEmpty();
  }
}
