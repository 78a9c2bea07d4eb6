package dev.hapax.flows.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.yaml.FileProblem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file that is too large has one finding, and nothing of it is compiled. */
@Timeout(20)
class FileLimitsTest {
  private static List<FileProblem> problems(String text) {
    return FlowReader.read("f.yaml", text).problems();
  }

  private static String steps(int count, String what) {
    var text = new StringBuilder("flow: f\nsteps:\n");
    for (int i = 0; i < count; i++) {
      text.append("  - {id: s%d, set: {x: %s}}\n".formatted(i, what.formatted(i)));
    }
    return text.toString();
  }

  @Test
  void steps_are_counted_also_inside_others() {
    var nested = new StringBuilder("flow: f\nsteps:\n  - id: p\n    parallel:\n      branches:\n");
    for (int i = 0; i < 40; i++) {
      nested.append("        b%d:\n".formatted(i));
      for (int j = 0; j < 30; j++) {
        nested.append("          - {id: s%d-%d, set: {x: 1}}\n".formatted(i, j));
      }
    }

    assertThat(problems(steps(1_000, "1"))).isEmpty();
    for (String file :
        List.of(steps(1_001, "1"), steps(5_000, "\"${no such}\""), nested.toString())) {
      assertThat(problems(file))
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.message()).isEqualTo("a flow has at most 1,000 steps");
                assertThat(problem.fix()).contains("other flows");
              });
    }
  }

  @Test
  void data_that_looks_like_steps_is_not_counted() {
    String list = "{id: a}, ".repeat(3_000);

    assertThat(problems("flow: f\nsteps:\n  - {id: a, set: {steps: [%s 1]}}\n".formatted(list)))
        .isEmpty();
  }

  @Test
  void expressions_are_counted_by_number_places_and_length() {
    String different = "\"" + "${%1$d} ${-%1$d} ${%1$d + 1} ${%1$d - 1} ${%1$d + 2} ${%1$d + 3}\"";

    assertThat(problems(steps(900, different)))
        .singleElement()
        .extracting(FileProblem::message)
        .isEqualTo("a file has at most 5,000 different expressions");
    assertThat(problems(steps(100, "[" + "\"${1}\", ".repeat(210) + "%d]")))
        .singleElement()
        .extracting(FileProblem::message)
        .isEqualTo("a file has at most 20,000 places with an expression");
    assertThat(problems(steps(100, "\"${'" + "y".repeat(3_500) + "%d'}\"")))
        .singleElement()
        .extracting(FileProblem::message)
        .isEqualTo("the expressions of a file have at most 300,000 characters together");
  }

  @Test
  void a_file_with_very_many_mistakes_shows_the_first_of_them() {
    var text = new StringBuilder("flow: f\n");
    for (int i = 0; i < 5_000; i++) {
      text.append("unknown%d: 1\n".formatted(i));
    }

    assertThat(problems(text + "steps:\n  - {id: a, set: {x: 1}}\n")).hasSize(200);
  }
}
