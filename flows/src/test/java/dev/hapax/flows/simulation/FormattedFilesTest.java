package dev.hapax.flows.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.check.Check;
import dev.hapax.flows.check.Finding;
import dev.hapax.flows.format.FlowFormatter;
import dev.hapax.testkit.simulation.Choices;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Generated flows are the same flows when they are formatted. */
class FormattedFilesTest {
  @Test
  void a_generated_file_survives_the_formatter() {
    for (int seed = 0; seed < 30; seed++) {
      for (PlannedFile file : FileGenerator.draw(Choices.of(seed))) {
        String text = FileText.of(file);
        FlowFormatter.Result result = FlowFormatter.format("f.yaml", text);

        assertThat(result.problems()).as(text).isEmpty();
        assertThat(FlowFormatter.format("f.yaml", result.text()).text()).isEqualTo(result.text());
        assertThat(findings(result.text())).isEqualTo(findings(text));
      }
    }
  }

  /** Without positions, which a formatter changes. */
  private static List<String> findings(String text) {
    return Check.check("f.yaml", text).findings().stream().map(Finding::message).sorted().toList();
  }
}
