package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code hapax test} on the examples, on the page that describes it, and on odd folders. */
class TestVerbTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "app")).toAbsolutePath().resolveSibling("");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(?:yaml)?\n(.*?)^```");

  @TempDir private Path home;

  private Desk.Effect type(Desk desk, boolean terminal, String... words) {
    return desk.answers(List.of()).type(terminal, List.of(words));
  }

  @Test
  void the_cases_of_the_blueprints_pass_and_try_every_branch() throws IOException {
    String folder = ROOT.resolve("examples/blueprints").toString();
    try (var desk = new Desk(Main.verbs(), home)) {
      Desk.Effect effect = type(desk, false, "test", folder);

      assertThat(effect.exit()).as(effect.out()).isZero();
      JsonNode data = Json.tree(effect.out()).path("data");
      assertThat(data.path("totals").path("cases").intValue()).isGreaterThan(70);
      assertThat(data.path("coverage")).hasSizeGreaterThanOrEqualTo(10);
      data.path("coverage")
          .forEach(flow -> assertThat(flow.path("missing")).as(flow.toString()).isEmpty());
    }
  }

  @Test
  void the_example_of_the_page_does_what_the_page_says() throws IOException {
    Matcher blocks = BLOCK.matcher(Files.readString(ROOT.resolve("docs/flows/testing.md")));
    List<String> texts = blocks.results().map(block -> block.group(1)).toList();
    String session = texts.get(2);
    try (var desk = new Desk(Main.verbs(), home)) {
      desk.put("pay.yaml", texts.get(0));
      desk.put("pay.test.yaml", texts.get(1));

      String command = session.lines().findFirst().orElseThrow().replace("$ hapax ", "");
      Desk.Effect effect = type(desk, true, command.split(" "));

      assertThat(effect.out()).isEqualTo(session.substring(session.indexOf('\n') + 1));
      assertThat(effect.exit()).isZero();
    }
  }

  @Test
  void an_update_makes_the_cases_pass_and_junit_names_each() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);

      Desk.Effect failing = type(desk, false, "test", "tested", "--junit", "junit.xml");
      Desk.Effect updating = type(desk, true, "test", "tested/order.yaml", "--update");
      Desk.Effect passing = type(desk, false, "test", "tested/order.test.yaml");

      assertThat(failing.exit()).isEqualTo(1);
      assertThat(Files.readString(home.resolve("junit.xml")))
          .contains("tests=\"2\" failures=\"1\"")
          .contains("name=\"an order has one invoice\"");
      assertThat(updating.exit()).as(updating.err()).isZero();
      assertThat(updating.out()).contains("wrote tested/order.test.yaml");
      assertThat(passing.exit()).as(passing.out()).isZero();
    }
  }

  @Test
  void a_connection_of_the_folder_counts_with_its_idempotency() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);
      desk.put(
          "tested/connections/books.yaml",
          "http: {base: 'https://books.example', idempotency: {header: X-Key, window: 1ms}}\n");

      Desk.Effect forgetful = type(desk, false, "test", "tested", "--only", "lost");
      desk.put("tested/connections/books.yaml", "http: {nothing: 1}\n");
      Desk.Effect refused = type(desk, false, "test", "tested");

      assertThat(forgetful.exit()).isEqualTo(1);
      assertThat(forgetful.out()).contains("status: expected succeeded, got review");
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(refused.out()).contains("connections/books.yaml is not a connection");
    }
  }

  @Test
  void an_update_leaves_a_file_with_errors_alone() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);
      String before = Files.readString(home.resolve("wrong/order.test.yaml"));

      assertThat(type(desk, false, "test", "wrong", "--update").exit()).isEqualTo(3);
      assertThat(home.resolve("wrong/order.test.yaml")).hasContent(before);
    }
  }
}
