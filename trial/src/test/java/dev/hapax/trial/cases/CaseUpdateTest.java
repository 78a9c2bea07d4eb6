package dev.hapax.trial.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.FolderFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An update writes what is expected, and touches no other character. */
class CaseUpdateTest {
  private static final String BEFORE =
      """
      # Cases of the charge, 😀.
      cases:
        - name: a new one   # it has no expectations yet
          input: {id: A-1}   # the first order

        # Another one.
        - name: one that was right once
          input: {id: "A-2"}
          answers:
            charge: {body: {id: ch_2}}
          expect:
            status: failed   # was it?
            output: {charge: old}
            sends:
              - {step: charge, key: A-1}
              - {step: charge, key: A-1}
            applied: {charge: 7}   # too many
        - {name: in one line, input: {id: A-3}, expect: {status: failed, sends: []}}
      """;

  private static final String AFTER =
      """
      # Cases of the charge, 😀.
      cases:
        - name: a new one   # it has no expectations yet
          input: {id: A-1}   # the first order
          expect:
            status: succeeded
            output: {charge: ch}
            sends:
              - {step: charge, key: A-1}
            applied: {charge: 1}

        # Another one.
        - name: one that was right once
          input: {id: "A-2"}
          answers:
            charge: {body: {id: ch_2}}
          expect:
            status: succeeded   # was it?
            output: {charge: ch_2}
            sends:
              - {step: charge, key: A-2}
            applied: {charge: 1}   # too many
        - {name: in one line, input: {id: A-3}, expect: {status: succeeded, sends: [{step: charge, key: A-3}]}}
      """;

  @TempDir private Path root;

  @Test
  void values_change_and_comments_and_layout_stay() throws IOException {
    String flow =
        FolderFixture.CHARGE.replace(
            "  - id: charge\n", "  - id: charge\n    sample: {status: 201, body: {id: ch}}\n");
    var folder = new FolderFixture(root).with("charge.yaml", flow).with("charge.test.yaml", BEFORE);
    CaseSuite.Outcome outcome = folder.run();
    FlowFolder read = folder.read();
    Path file = root.resolve("charge.test.yaml");

    boolean written = new CaseUpdate(CaseFile.read(read, file)).write(read, outcome.results());

    assertThat(written).isTrue();
    assertThat(Files.readString(file)).isEqualTo(AFTER);
    assertThat(folder.run().failed()).isZero();
    try (var files = Files.list(root)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void a_file_whose_cases_pass_is_not_written() throws IOException {
    var folder =
        new FolderFixture(root)
            .with("charge.yaml", FolderFixture.CHARGE)
            .with(
                "charge.test.yaml",
                "cases: [{name: a, input: {id: A-1}, expect: {status: succeeded}}]\n");
    CaseSuite.Outcome outcome = folder.run();

    assertThat(new CaseUpdate(outcome.files().getFirst()).write(folder.read(), outcome.results()))
        .isFalse();
  }
}
