package dev.hapax.flows.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every bad file of the corpus has its problems, their places and their words. */
class BadFilesTest {
  private static final Path FILES =
      Path.of(System.getProperty("basedir", ".")).resolve("src/test/resources/dev/hapax/flows/bad");
  private static final Path EXPECTED = FILES.resolve("expected.txt");

  @Test
  void each_file_is_told_all_its_problems_with_their_places() throws IOException {
    String found = files().stream().map(BadFilesTest::findings).collect(Collectors.joining());
    if (Boolean.getBoolean("hapax.write")) {
      Files.writeString(EXPECTED, found);
    }

    assertThat(found.lines()).containsExactlyElementsOf(Files.readAllLines(EXPECTED));
  }

  @Test
  void each_file_has_an_error() throws IOException {
    assertThat(files()).hasSizeGreaterThanOrEqualTo(120);
    assertThat(files()).filteredOn(file -> !result(file).hasErrors()).isEmpty();
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
            "{\"findings\":[{\"rule\":\"schema\",\"level\":\"error\",\"file\":\"f.yaml\",\"line\":1,\"column\":1,"
                + "\"message\":\"a flow needs 'steps'\",\"fix\":\"What it does, in order.\"}]}");
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
              Use a value of the input""");
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

  private static String findings(Path file) {
    return result(file).findings().stream()
        .map(
            finding ->
                "%s:%d:%d %s %s: %s | %s\n"
                    .formatted(
                        file.getFileName(),
                        finding.position().line(),
                        finding.position().column(),
                        finding.level().word(),
                        finding.rule(),
                        finding.message(),
                        finding.fix()))
        .collect(Collectors.joining());
  }

  private static Check.Result result(Path file) {
    try {
      return Check.check(file.getFileName().toString(), Files.readString(file));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(FILES)) {
      return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
