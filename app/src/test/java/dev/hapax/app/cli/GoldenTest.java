package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.Main;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/**
 * Every verb has a golden file: its help, its answers to programs and to people, its exit codes and
 * what it asks of the server. With {@code -Dhapax.golden=write} the files are written anew.
 */
class GoldenTest {
  private static final boolean WRITE = "write".equals(System.getProperty("hapax.golden"));

  @TempDir private Path home;

  @ParameterizedTest
  @MethodSource("files")
  void a_verb_does_what_its_golden_file_says(String name) throws IOException {
    GoldenFile file = GoldenFile.read(folder().resolve(name));
    var seen = new StringBuilder();
    var expected = new StringBuilder();

    try (var desk = new Desk(Main.verbs(), home)) {
      Samples.putInto(desk);
      for (GoldenFile.Case example : file.cases()) {
        Desk.Effect effect =
            desk.answers(example.answers()).type(example.terminal(), example.args());
        seen.append(example.text(effect.lines())).append('\n');
        expected.append(example.text(example.effect())).append('\n');
        if (!example.terminal() && !example.command().contains("--print")) {
          assertThat(effect.out().lines().count()).as("documents of %s", example).isEqualTo(1);
          assertIsEnvelope(Json.tree(effect.out()), effect.exit());
        }
      }
    }

    if (WRITE) {
      Files.writeString(file.path(), seen.toString());
    } else {
      assertThat(seen.toString()).as(name).isEqualTo(expected.toString());
    }
  }

  @Test
  void every_verb_has_a_golden_file_with_its_help_an_answer_and_what_people_see()
      throws IOException {
    var names = new TreeSet<String>();
    for (CommandLine verb : allVerbs()) {
      String command = verb.getCommandSpec().qualifiedName();
      String name = command.substring("hapax ".length()).replace(' ', '-') + ".txt";
      names.add(name);
      assertThat(folder().resolve(name)).exists();
      GoldenFile file = GoldenFile.read(folder().resolve(name));
      assertThat(file.holds(true, command + " --help")).as("help in %s", name).isTrue();
      assertThat(file.cases())
          .as("an answer to a program in %s", name)
          .anyMatch(example -> !example.terminal() && example.command().startsWith(command));
      assertThat(file.cases())
          .as("an answer to a person in %s", name)
          .anyMatch(example -> example.terminal() && !example.command().endsWith("--help"));
    }
    assertThat(files()).as("golden files without a verb").allMatch(names::contains);
  }

  private static void assertIsEnvelope(JsonNode document, int exit) {
    boolean ok = document.path("ok").booleanValue();
    assertThat(ok).isEqualTo(exit == 0 || exit == 6);
    var names = new TreeSet<>(document.propertyNames());
    if (ok) {
      assertThat(names).isEqualTo(Set.of("ok", "data", "meta"));
    } else {
      names.remove("data");
      assertThat(names).isEqualTo(Set.of("ok", "error", "hint", "meta"));
      assertThat(document.path("error").propertyNames())
          .containsExactlyInAnyOrder("code", "message", "details");
    }
  }

  private static List<CommandLine> allVerbs() {
    var all = new ArrayList<CommandLine>();
    Cli.commandLine(Main.verbs(), _ -> true)
        .getSubcommands()
        .values()
        .forEach(verb -> collect(verb, all));
    return all;
  }

  private static void collect(CommandLine verb, List<CommandLine> all) {
    all.add(verb);
    verb.getSubcommands().values().stream().distinct().forEach(inner -> collect(inner, all));
  }

  static Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  /** The sources, not their copies, since the files are written too. */
  private static Path folder() {
    Path module = Path.of(System.getProperty("basedir", "app")).toAbsolutePath();
    return module.resolve("src/test/resources/dev/hapax/app/cli/golden");
  }
}
