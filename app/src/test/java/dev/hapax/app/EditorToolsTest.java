package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.PublicTools.Said;
import dev.hapax.flows.file.FlowSchema;
import dev.hapax.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The language server of editors and Mermaid itself, both from npm, read what we write for them.
 */
@Tag("server")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EditorToolsTest {
  private static final Path CHARTS =
      Path.of(System.getProperty("basedir", "app"))
          .resolve("../flows/src/test/resources/dev/hapax/flows/graph/mermaid.txt")
          .toAbsolutePath()
          .normalize();

  @TempDir Path folder;

  @Test
  void an_editor_completes_explains_and_refuses_keys() throws Exception {
    Files.createDirectories(folder.resolve(".hapax"));
    Files.writeString(folder.resolve(".hapax/flow.schema.json"), FlowSchema.text());
    Path file = folder.resolve("flow.yaml");
    Files.writeString(
        file,
        """
        # yaml-language-server: $schema=.hapax/flow.schema.json
        flow: edited
        retension: 30d
        steps:
          - id: charge
            http: {connection: payments, method: POST, path: /charges}
            effect:
              kind: create
              key: a
              guard: keyed
          - id: next
        \s\s\s\s
        """);

    Said said = PublicTools.editorScript("language-server.js", file.toString());

    assertThat(said.exit()).as(said.out()).isZero();
    JsonNode answer = Json.tree(said.out());
    List<String> offered = new ArrayList<>();
    answer.path("completions").forEach(one -> offered.add(one.path("label").asString("")));
    assertThat(offered).contains("http", "db", "email", "wait", "choose", "forEach", "retry");
    assertThat(answer.path("hover").asString(""))
        .contains("The mechanism that makes a repeat safe");
    assertThat(answer.path("diagnostics").toString()).contains("retension");
    assertThat(answer.path("diagnostics").toString()).doesNotContain("Unable to load schema");
  }

  @Test
  void mermaid_reads_the_charts_of_all_examples() throws Exception {
    Said said = PublicTools.editorScript("parse-mermaid.js", CHARTS.toString());

    assertThat(said.exit()).as(said.out()).isZero();
    JsonNode answer = Json.tree(said.out());
    assertThat(answer.path("failed").toString()).isEqualTo("[]");
    assertThat(answer.path("parsed").size()).isGreaterThan(30);
  }
}
