package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.step.FlowFormat;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every bad file of the corpus has its problems, their places and their words. */
class BadFilesTest {
  private static final FlowCorpus BAD = FlowCorpus.named("bad");

  @Test
  void all_problems_of_a_file_are_reported_with_their_places() throws IOException {
    assertThat(BAD.findings()).containsExactlyElementsOf(BAD.expectedFindings());
  }

  @Test
  void each_file_has_an_error() {
    assertThat(BAD.files()).hasSizeGreaterThanOrEqualTo(120);
    assertThat(BAD.files()).filteredOn(file -> !FlowCorpus.result(file).hasErrors()).isEmpty();
  }

  @Test
  void a_broken_step_hides_no_problem_of_the_others() {
    String file =
        """
        flow: f
        key: ${input.id}
        steps:
          - id: broken
            wait: {for: 1s, until: "${input.at}"}
          - id: write
            http: {connection: shop, method: POST, path: "/a/${steps.broken.output}"}
          - id: last
            set: {a: "${steps.nowhere.output}"}
        """;

    Check.Result result = Check.check("f.yaml", file);

    assertThat(result.file()).isNull();
    assertThat(result.findings())
        .extracting(finding -> finding.position().line() + " " + finding.rule())
        .containsExactly("5 schema", "7 missing-effect", "9 unknown-step");
  }

  @Test
  void a_release_is_not_refused_by_a_rule_that_came_later() {
    String file =
        """
        flow: f
        key: ${input.id}
        triggers:
          - queue: {connection: shop-db, queue: orders, format: avro, input: {id: "${event.id}"}}
        steps:
          - id: note
            kv: {put: {key: "${input.id}", value: true}}
        """;

    assertThat(Check.check("f.yaml", file).findings())
        .extracting(Finding::rule)
        .containsExactly("not-supported-yet");
    assertThat(Check.checkRelease("f.yaml", file, FlowFormat.NEWEST).findings()).isEmpty();
  }

  @Test
  void a_file_beyond_a_megabyte_is_refused() {
    String large = "flow: f\nsteps:\n  - id: a\n    set: {a: \"" + "x".repeat(1_100_000) + "\"}\n";

    assertThat(Check.check("large.yaml", large).findings())
        .singleElement()
        .hasToString(
            "large.yaml:1:1 error yaml: a flow file has at most 1 MB.%n  Split it, or put large values into resources."
                .formatted());
  }

  @Test
  void a_finding_has_a_form_for_programs() {
    assertThat(Check.check("f.yaml", "flow: f\n").json())
        .isEqualTo(
            "{\"findings\":[{\"rule\":\"schema\",\"level\":\"error\",\"file\":\"f.yaml\",\"line\":1,\"column\":1,\"message\":\"a"
                + " flow needs 'steps'\",\"fix\":\"Add 'steps'. The steps, in order.\"}]}");
  }

  @Test
  void a_key_of_a_step_before_the_loop_is_the_same_for_every_item_and_one_inside_it_is_not() {
    String file =
        """
        flow: f
        key: ${input.id}
        steps:
          - id: customer
            http: {connection: shop, path: /customer}
          - id: each
            forEach: ${input.lines}
            itemKey: ${item.sku}
            parallel:
              branches:
                one:
                  - id: price
                    http: {connection: shop, path: "/prices/${item.sku}"}
                  - id: mail
                    http: {connection: shop, method: POST, path: /mails, body: "${item}"}
                    effect: {kind: notify, key: "${steps.%s.output.body.id}", guard: keyed}
        """;

    assertThat(Check.check("f.yaml", file.formatted("customer")).findings())
        .extracting(Finding::rule)
        .contains("broad-key");
    assertThat(Check.check("f.yaml", file.formatted("price")).findings())
        .extracting(Finding::rule)
        .doesNotContain("broad-key");
  }

  @Test
  void people_see_the_line_and_the_place() {
    String file =
        """
        flow: f
        key: ${input.id}
        steps:
          - id: charge
            http: {connection: psp, method: POST, path: /charges}
            effect: {kind: create, key: "${now()}", guard: keyed}
        """;

    assertThat(Check.check("order.yaml", file).text().replace("\r\n", "\n"))
        .startsWith(
            """
            order.yaml:6:34 error unstable-key: the key of 'f/charge' reaches now(), so each retry would be a new intent.
              6 |     effect: {kind: create, key: "${now()}", guard: keyed}
                |                                  ^
              Use a value of the input\
            """);
  }

  @Test
  void of_a_long_line_people_see_the_part_that_matters() {
    String file = "flow: f\nsteps: [{id: a, set: {v: " + "x".repeat(300) + "}, whn: 1}]\n";

    Check.Result result = Check.check("f.yaml", file);
    Finding unknown =
        result.findings().stream()
            .filter(finding -> finding.rule().equals("unknown-field"))
            .findFirst()
            .orElseThrow();
    List<String> lines = result.excerpt(unknown).lines().toList();
    assertThat(lines.getFirst()).endsWith("xxx}, whn: 1}]").hasSizeLessThan(110);
    assertThat(lines.getLast().indexOf('^')).isEqualTo(lines.getFirst().indexOf("whn"));
  }
}
