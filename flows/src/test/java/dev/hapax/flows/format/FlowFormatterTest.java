package dev.hapax.flows.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.ExampleFiles;
import dev.hapax.flows.check.Check;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The one layout of flow files: same meaning, every comment, and the same text again. */
class FlowFormatterTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path CORPUS = BASE.resolve("src/test/resources/dev/hapax/flows");
  private static final Path FIRST =
      BASE.resolve("../app/src/main/resources/dev/hapax/app/cli/authoring/first-order.yaml");

  @Test
  void the_examples_and_the_first_flow_are_formatted() throws IOException {
    var files = new ArrayList<>(ExampleFiles.paths());
    files.add(FIRST);
    for (Path file : files) {
      String text = Files.readString(file);
      String formatted = formatted(text);
      if (Boolean.getBoolean("hapax.write")) {
        Files.writeString(file, formatted);
      }

      assertThat(Files.readString(file))
          .as("%s; write it anew with -Dhapax.write=true", file)
          .isEqualTo(formatted);
    }
  }

  @Test
  void keys_are_in_the_order_of_the_docs_and_comments_go_with_them() {
    String messy =
        """
        # licence

        steps:
        - http: {path: /a, connection: shop,   method: PUT}   # the request
          # its name
          id: put
          effect: {guard: upsert, kind: update, key: '${input.id}'}
        key: ${input.id}   # one run per id
        flow:   messy
        """;

    assertThat(formatted(messy))
        .isEqualTo(
            """
            # licence

            flow: messy
            key: ${input.id}   # one run per id
            steps:
              # its name
              - id: put
                http: {connection: shop, method: PUT, path: /a}   # the request
                effect: {kind: update, key: "${input.id}", guard: upsert}
            """);
  }

  @Test
  void brackets_over_several_lines_become_lines() {
    String messy =
        """
        flow: f
        steps: [
          {id: a, set: {x: 1}},   # first
          # second
          {id: b,
           set: {
             y: [1,
               2],   # two
             z: {}
           }}
        ]
        """;

    assertThat(formatted(messy))
        .isEqualTo(
            """
            flow: f
            steps:
              - {id: a, set: {x: 1}}  # first
              # second
              - id: b
                set:
                  y:
                    - 1
                    - 2
                    # two
                  z: {}
            """);
  }

  @Test
  void empty_lines_separate_all_steps_of_a_list_or_none() {
    String some =
        "flow: f\n\n\n\nsteps:\n\n  - id: a\n    set: {x: 1}\n  - id: b\n    set: {x: 1}\n\n  - id: c\n    set: {x: 1}\n\n\n";
    String none = "flow: f\nsteps:\n  - id: a\n    set: {x: 1}\n  - id: b\n    set: {x: 1}\n";

    assertThat(formatted(some))
        .isEqualTo(
            "flow: f\n\nsteps:\n  - id: a\n    set: {x: 1}\n\n  - id: b\n    set: {x: 1}\n\n  - id: c\n    set: {x: 1}\n");
    assertThat(formatted(none)).isEqualTo(none);
  }

  @Test
  void texts_of_several_lines_keep_their_lines() {
    String messy =
        """
        flow: f
        steps:
            - id: a
              set:
                   keep: |+   # kept
                       one
                         two

                   strip: >-
                       three
                       four
                   indented: |1
                      five
                   plain: six
                      seven
                   quoted: "eight
                      nine"
              lock: x
        """;
    String formatted = formatted(messy);

    assertThat(formatted)
        .isEqualTo(
            """
            flow: f
            steps:
              - id: a
                lock: x
                set:
                  keep: |+        # kept
                    one
                      two

                  strip: >-
                    three
                    four
                  indented: |2
                      five
                  plain: six
                    seven
                  quoted: "eight
                    nine"
            """);
  }

  @Test
  void windows_lines_become_unix_lines_and_a_byte_order_mark_goes() {
    assertThat(formatted("\uFEFFflow: f\r\nsteps:\r\n  - id: a   \r\n    wait: {for: 1s}\r\n"))
        .isEqualTo("flow: f\nsteps:\n  - id: a\n    wait: {for: 1s}\n");
  }

  @Test
  void anchors_and_aliases_stay() {
    String text =
        """
        flow: f
        steps:
          - id: a
            http: &call {url: "https://a.example"}
            retry: &again
              attempts: 3
          - id: b
            http: *call
            retry: *again
        """;

    assertThat(formatted(text)).isEqualTo(text);
  }

  @Test
  void quotes_are_double_unless_that_needs_a_backslash() {
    assertThat(
            formatted(
                "flow: 'f'\nsteps:\n  - id: a\n    set: {x: 'it''s', y: 'a \"b\"', z: 'c:\\d', w: plain}\n"))
        .isEqualTo(
            "flow: \"f\"\nsteps:\n  - id: a\n    set: {x: \"it's\", y: 'a \"b\"', z: 'c:\\d', w: plain}\n");
  }

  @Test
  void what_is_no_flow_or_cannot_be_read_is_left_alone() {
    for (String text :
        List.of(
            "flow: f\nsteps: [",
            "flow: f\nflow: g\n",
            "a: 1\n",
            "- 1\n",
            "",
            "flow: f\nsteps: !!str x\n",
            "flow: f\nsteps: &a [*a]\n",
            "flow: f\n---\nflow: g\n",
            "flow: \"f\u0000\"\n",
            "flow: f\nx: " + "[".repeat(2_000))) {
      FlowFormatter.Result result = FlowFormatter.format("f.yaml", text);

      assertThat(result.problems()).as(text).isNotEmpty();
      assertThat(result.text()).isEqualTo(text);
    }
  }

  @Test
  void a_file_with_an_unknown_key_is_formatted_and_the_key_comes_last() {
    assertThat(formatted("foo: 1\nsteps:\n- {set: {}, bar: 2, id: a}\nflow: f\n"))
        .isEqualTo("flow: f\nsteps:\n  - {id: a, set: {}, bar: 2}\nfoo: 1\n");
  }

  @Test
  void files_of_the_corpus_keep_their_meaning_and_their_findings() throws IOException {
    int count = 0;
    for (Path file : yaml(CORPUS)) {
      String text = Files.readString(file);
      FlowFormatter.Result result = FlowFormatter.format("f.yaml", text);
      if (result.problems().isEmpty()) {
        demandSame(text, result.text());
        assertThat(rules(result.text())).as(file.toString()).isEqualTo(rules(text));
        count++;
      }
    }
    assertThat(count).isGreaterThan(100);
  }

  private static List<String> rules(String text) {
    return Check.check("f.yaml", text).findings().stream()
        .map(finding -> finding.rule() + " " + finding.level())
        .sorted()
        .toList();
  }

  @Test
  void a_messy_text_keeps_its_meaning_and_all_comments() throws IOException {
    List<Path> files = ExampleFiles.paths();
    for (int seed = 0; seed < 400; seed++) {
      Node root = read(Files.readString(files.get(seed % files.size())));
      MessyText.Result messy = MessyText.of(root, seed);
      FlowFormatter.Result result = FlowFormatter.format("f.yaml", messy.text());

      assertThat(result.problems()).as("seed %d:\n%s", seed, messy.text()).isEmpty();
      demandSame(messy.text(), result.text());
      assertThat(Pattern.compile("# c\\d+:").matcher(result.text()).results().count())
          .as("comments of seed %d", seed)
          .isEqualTo(messy.comments());
    }
  }

  /** Formats, reads again and formats again. */
  static void demandSame(String before, String after) {
    assertThat(SameMeaning.of(read(before), read(after))).as("%s\n->\n%s", before, after).isTrue();
    assertThat(FlowFormatter.format("f.yaml", after).text()).as(before).isEqualTo(after);
  }

  private static String formatted(String text) {
    FlowFormatter.Result result = FlowFormatter.format("f.yaml", text);
    assertThat(result.problems()).as(text).isEmpty();
    return result.text();
  }

  private static Node read(String text) {
    var problems = new ArrayList<FileProblem>();
    Node root = new Yaml("f.yaml", problems).read(text.replace("\uFEFF", ""));
    assertThat(problems).as(text).isEmpty();
    return Objects.requireNonNull(root);
  }

  private static List<Path> yaml(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.toString().endsWith(".test.yaml"))
          .sorted()
          .toList();
    }
  }
}
