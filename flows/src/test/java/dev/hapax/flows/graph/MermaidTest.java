package dev.hapax.flows.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flows.ExampleFiles;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.FlowReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Flows as text for Mermaid: the same boxes as in the picture, and no way out of a text. */
class MermaidTest {
  private static final Path BASE = Path.of(System.getProperty("basedir", "."));
  private static final Path GOLDEN =
      BASE.resolve("src/test/resources/dev/hapax/flows/graph/mermaid.txt");

  /** Every line that the writer makes; a text is between quotes and has no quote inside. */
  private static final Pattern LINE =
      Pattern.compile(
          "flowchart TD| *n\\d+[\\[({/\\\\]+\"[^\"`<>%\\[\\]{}]*(<br/>[^\"`<>%\\[\\]{}]*)*\"[\\])}/\\\\]+"
              + "| *subgraph f\\d+\\[\"[^\"`<>]*\"]| *end|  n\\d+ (-->|-\\. rework \\.->|-\\. undo \\.-) n\\d+");

  @Test
  void the_examples_are_written_as_the_golden_file_says() throws IOException {
    var text = new StringBuilder();
    for (String name : ExampleFiles.names()) {
      text.append("%% ").append(name).append('\n');
      text.append(FlowPicture.mermaid(read(Files.readString(ExampleFiles.path(name)))));
      text.append('\n');
    }
    if (Boolean.getBoolean("hapax.write")) {
      Files.createDirectories(GOLDEN.resolveSibling(""));
      Files.writeString(GOLDEN, text.toString());
    }

    assertThat(Files.readString(GOLDEN))
        .as("write it anew with -Dhapax.write=true")
        .isEqualTo(text.toString());
  }

  @Test
  void every_box_of_the_picture_is_a_node() throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      FlowFile flow = read(GeneratedFlow.of(seed));
      String mermaid = FlowPicture.mermaid(flow);
      long boxes =
          FlowPicture.drawing(flow).shapes().stream()
              .filter(shape -> shape.look() != Drawing.Look.FORK)
              .count();

      assertThat(mermaid.lines()).allMatch(line -> LINE.matcher(line).matches());
      assertThat(mermaid.lines().filter(line -> line.matches(" *(n\\d+[\\[({].*|subgraph .*)")))
          .hasSize((int) boxes);
      assertThat(mermaid.lines().filter(line -> line.strip().startsWith("subgraph")).count())
          .isEqualTo(mermaid.lines().filter(line -> line.strip().equals("end")).count());
    }
  }

  @Test
  void a_hostile_text_stays_a_text() {
    for (String hostile :
        List.of(
            "\\\"]; click n1 \\\"javascript:alert(1)\\\"",
            "a\\nend\\nn9[x]",
            "`md` **b** 1. list",
            "%%{init: {}}%%",
            "<script>alert(1)</script>",
            "style n1 fill:#f00;",
            "#quot;]",
            "\\u202Ereversed\\u0007")) {
      FlowFile flow =
          read(
              """
              flow: hostile
              key: ${input.id}
              steps:
                - id: ask
                  approval: {ask: "%s", expires: 1d}
              """
                  .formatted(hostile));
      String mermaid = FlowPicture.mermaid(flow);

      assertThat(mermaid.lines()).as(mermaid).allMatch(line -> LINE.matcher(line).matches());
      assertThat(mermaid.lines()).as(mermaid).hasSize(6);
    }
  }

  private static FlowFile read(String text) {
    FlowReader.Result read = FlowReader.read("flow.yaml", text);
    assertThat(read.problems()).as(text).isEmpty();
    return Objects.requireNonNull(read.file());
  }
}
