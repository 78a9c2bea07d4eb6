package dev.hapax.flows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.testkit.mutant.Mutants;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mutant of the interpreter that lives is a hole in the simulation of flow files. */
@Tag("simulation")
@Order(1)
class InterpreterMutantTest {
  @Test
  void every_mutant_dies(@TempDir Path directory) throws Exception {
    assertThat(Mutants.survivors(InterpreterMutants.class, directory)).isEmpty();
  }
}
