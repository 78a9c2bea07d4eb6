package dev.hapax.trial.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.trial.FlowFolder;
import dev.hapax.trial.FolderFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bad file of cases is refused with the place, the reason and the fix. */
class CaseFileTest {
  @TempDir private Path root;
  private FolderFixture folder;

  @BeforeEach
  void aFlow() {
    folder = new FolderFixture(root).with("charge.yaml", FolderFixture.CHARGE);
  }

  private List<String> problemsOf(String text) {
    return problemsOf("charge.test.yaml", text);
  }

  private List<String> problemsOf(String name, String text) {
    FlowFolder read = folder.with(name, text).read();
    return CaseFile.read(read, root.resolve(name)).problems().stream()
        .map(
            problem -> "%s %s: %s".formatted(problem.position(), problem.rule(), problem.message()))
        .toList();
  }

  @Test
  void an_unknown_step_is_named_with_the_nearest_one() {
    assertThat(
            problemsOf(
                """
                cases:
                  - name: a typo
                    input: {id: A-1}
                    answers:
                      chrage: {status: 500}
                    kill: [after send charg]
                    do:
                      - callback: {step: other}
                    expect: {applied: {charge: 1, paid: 1}, reviews: [chargee]}
                """))
        .containsExactly(
            "charge.test.yaml:5:7 unknown-step: flow 'charge' has no step 'chrage', did you mean 'charge'?",
            "charge.test.yaml:6:5 unknown-step: flow 'charge' has no step 'charg', did you mean 'charge'?",
            "charge.test.yaml:8:20 unknown-step: flow 'charge' has no step 'other'",
            "charge.test.yaml:9:35 unknown-step: flow 'charge' has no step 'paid'",
            "charge.test.yaml:9:45 unknown-step: flow 'charge' has no step 'chargee', did you mean 'charge'?");
  }

  @Test
  void unknown_fields_and_wrong_values_have_their_place() {
    assertThat(
            problemsOf(
                """
                cases:
                  - name: wrong
                    inputs: {}
                    input: {id: A-1}
                    answers: {charge: {status: 99, fault: gone}}
                    kill: [when it likes]
                """))
        .anyMatch(
            problem ->
                problem.startsWith("charge.test.yaml:3:5 unknown-field: 'inputs' is not a field"))
        .anyMatch(problem -> problem.startsWith("charge.test.yaml:5:32 type: status: expected"))
        .anyMatch(problem -> problem.startsWith("charge.test.yaml:5:43 type: fault: expected"));
  }

  @Test
  void a_place_of_death_has_a_form() {
    assertThat(
            problemsOf(
                """
                cases:
                  - name: wrong
                    input: {id: A-1}
                    kill: [when it likes]
                """))
        .containsExactly(
            "charge.test.yaml:4:5 schema: 'when it likes' is not a place where the process can die");
  }

  @Test
  void two_cases_of_one_name_are_refused() {
    assertThat(
            problemsOf(
                """
                cases:
                  - {name: same, input: {id: A-1}}
                  - {name: same, input: {id: A-2}}
                """))
        .containsExactly("charge.test.yaml:3:6 duplicate-name: case 'same' is already at line 2");
  }

  @Test
  void a_case_of_a_missing_flow_is_refused_with_the_nearest_file() {
    assertThat(problemsOf("chrage.test.yaml", "cases: [{name: a, input: {}}]\n"))
        .containsExactly(
            "chrage.test.yaml:1:1 unknown-flow: there is no flow file chrage.yaml beside it, did you mean 'charge.yaml'?");
    assertThat(problemsOf("flow: pay\ncases: [{name: a, input: {}}]\n"))
        .containsExactly("charge.test.yaml:1:1 unknown-flow: there is no flow 'pay' here");
  }

  @Test
  void a_flow_with_errors_is_refused() {
    folder.with("charge.yaml", "flow: charge\nsteps: [{id: a, nothing: {}}]\n");

    assertThat(problemsOf("cases: [{name: a, input: {}}]\n"))
        .hasSize(1)
        .allMatch(
            problem -> problem.contains("flow file charge.yaml") || problem.contains("errors"));
  }

  @Test
  void a_child_that_is_not_there_is_named() {
    folder.with(
        "parent.yaml",
        """
        flow: parent
        key: ${input.id}
        steps:
          - id: child
            flow: {name: elsewhere, input: {id: "${input.id}"}}
        """);

    assertThat(problemsOf("parent.test.yaml", "cases: [{name: a, input: {}}]\n"))
        .containsExactly(
            "parent.test.yaml:1:1 unknown-flow: step 'child' runs flow 'elsewhere', which is not in this folder or has errors");
  }

  @Test
  void a_bomb_of_aliases_is_refused() {
    var bomb = new StringBuilder("a: &a0 [x, x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(problemsOf(bomb.toString())).isNotEmpty();
  }

  @Test
  void empty_large_and_foreign_files_are_refused() throws IOException {
    assertThat(problemsOf("\n")).containsExactly("charge.test.yaml:1:1 yaml: the file is empty");
    assertThat(problemsOf("# " + "x".repeat(1 << 20)))
        .containsExactly("charge.test.yaml:1:1 yaml: the file has more than 1 MB");
    Path latin = root.resolve("charge.test.yaml");
    Files.write(latin, "cases: [{name: ü}]".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(CaseFile.read(folder.read(), latin).problems())
        .extracting(problem -> problem.message())
        .containsExactly("the file is not UTF-8");
  }

  @Test
  void links_and_folders_are_not_read() throws IOException {
    Path outside = Files.createTempFile("outside", ".yaml");
    Files.createSymbolicLink(root.resolve("link.test.yaml"), outside);
    Files.createDirectory(root.resolve("folder.yaml"));

    FlowFolder read = folder.read();

    assertThat(read.tests()).isEmpty();
    assertThat(read.problems())
        .containsExactly(
            "folder.yaml is not a file: links and folders with such a name are not read",
            "link.test.yaml is not a file: links and folders with such a name are not read");
    Files.delete(outside);
  }
}
