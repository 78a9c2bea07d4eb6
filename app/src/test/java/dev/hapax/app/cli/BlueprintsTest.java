package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hapax init --blueprint}; {@code BlueprintPagesTest} follows what it writes. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class BlueprintsTest {
  @TempDir Path home;

  private static Desk.Effect hapax(Desk desk, String... words) {
    return desk.answers(List.of()).type(false, List.of(words));
  }

  @Test
  void a_folder_of_another_name_has_the_same_files() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      assertThat(hapax(desk, "init", "--blueprint", "sync-customer", "mine").exit()).isZero();

      for (String file :
          List.of(
              "README.md",
              "stand-in.yaml",
              "event.json",
              "flows/sync-customer.yaml",
              "flows/sync-customer.test.yaml",
              ".hapax/flow.schema.json",
              "AGENTS.md",
              ".agents/skills/hapax-flows/SKILL.md")) {
        assertThat(home.resolve("mine").resolve(file)).isNotEmptyFile();
      }
    }
  }

  @Test
  void a_first_flow_comes_with_the_rules_for_agents_unless_they_are_there() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Files.createDirectories(home.resolve("flows"));
      Files.writeString(home.resolve("flows/AGENTS.md"), "mine");

      assertThat(hapax(desk, "init").exit()).isZero();

      assertThat(home.resolve("flows/AGENTS.md")).hasContent("mine");
      assertThat(home.resolve("flows/.agents/skills/hapax-flows/SKILL.md"))
          .hasSameTextualContentAs(
              Path.of(System.getProperty("basedir", "app"))
                  .toAbsolutePath()
                  .resolveSibling("examples/skills/hapax-flows/SKILL.md"));
    }
  }

  @Test
  void nothing_is_written_over_and_an_unknown_name_shows_the_known_ones() throws IOException {
    try (var desk = new Desk(Main.verbs(), home)) {
      Files.createDirectories(home.resolve("charge-order"));
      Files.writeString(home.resolve("charge-order/README.md"), "mine");

      Desk.Effect again = hapax(desk, "init", "--blueprint", "charge-order");
      Desk.Effect unknown = hapax(desk, "init", "--blueprint", "charge");

      assertThat(again.exit()).isEqualTo(3);
      assertThat(home.resolve("charge-order/flows")).doesNotExist();
      assertThat(unknown.exit()).isEqualTo(4);
      assertThat(unknown.out()).contains("charge-order, sync-customer");
    }
  }
}
