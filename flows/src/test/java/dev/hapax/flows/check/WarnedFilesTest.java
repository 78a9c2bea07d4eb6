package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Files that work and deserve a warning, and files that are close to them and deserve none. */
class WarnedFilesTest {
  private static final FlowCorpus WARNED = FlowCorpus.named("warned");
  private static final FlowCorpus UNWARNED = FlowCorpus.named("unwarned");

  @Test
  void each_file_has_the_warning_that_it_is_named_for() throws IOException {
    assertThat(WARNED.findings()).containsExactlyElementsOf(WARNED.expectedFindings());
    assertThat(WARNED.files()).hasSizeGreaterThanOrEqualTo(40);
    assertThat(WARNED.files())
        .allSatisfy(
            file -> {
              assertThat(FlowCorpus.result(file).findings()).as("%s", file).isNotEmpty();
              assertThat(FlowCorpus.result(file).hasErrors()).as("%s", file).isFalse();
            });
  }

  @Test
  void each_rule_that_warns_has_a_file() {
    var warned = new TreeSet<String>();
    for (var file : WARNED.files()) {
      FlowCorpus.result(file).findings().forEach(finding -> warned.add(finding.rule()));
    }

    assertThat(warned).containsAll(Check.rules(Level.WARNING));
  }

  @Test
  void a_file_close_to_a_warning_has_none() {
    assertThat(UNWARNED.files()).hasSizeGreaterThanOrEqualTo(20);
    assertThat(UNWARNED.files())
        .allSatisfy(file -> assertThat(FlowCorpus.result(file).text()).as("%s", file).isEmpty());
  }
}
