package dev.hapax.trial.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.connection.Connections;
import dev.hapax.testkit.ProofLimits;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.cases.CaseFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every flow file of the examples is proven. */
@Tag("simulation")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExampleProofsTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("basedir", "."), "../examples/flows");

  @Test
  void every_effect_of_the_examples_happens_once() throws IOException {
    FlowFolder folder = FlowFolder.read(EXAMPLES);
    List<CaseFile> cases =
        folder.tests().stream().map(path -> withoutEvents(CaseFile.read(folder, path))).toList();
    List<FlowFolder.Entry> entries =
        folder.flows().values().stream()
            .sorted(Comparator.comparing(FlowFolder.Entry::path))
            .toList();

    List<FlowProof> proofs =
        new FlowProver(
                new SceneParts(folder, Connections.NONE, EventDoor.CLOSED),
                cases,
                new ProofLimits(Duration.ofMinutes(5), 2, 3, 12),
                (_, _, _) -> {})
            .prove(entries);

    assertThat(proofs).hasSizeGreaterThanOrEqualTo(entries.size());
    assertThat(proofs.stream().flatMap(ExampleProofsTest::problems)).isEmpty();
  }

  /** Events are received by the program, which proves these cases in its own test. */
  private static CaseFile withoutEvents(CaseFile file) {
    assertThat(file.problems()).isEmpty();
    return new CaseFile(
        file.path(),
        file.text(),
        file.cases().stream().filter(one -> one.event() == null).toList(),
        file.problems());
  }

  private static Stream<String> problems(FlowProof proof) {
    return proof.problems().stream().map(problem -> proof.file() + ": " + problem);
  }
}
