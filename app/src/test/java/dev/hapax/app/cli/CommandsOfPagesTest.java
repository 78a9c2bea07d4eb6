package dev.hapax.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.hapax.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every command that the web UI or the files for agents teach is one that the program knows. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class CommandsOfPagesTest {
  private static final Path PAGES =
      Path.of(System.getProperty("basedir", "app"))
          .toAbsolutePath()
          .resolveSibling("ui/src/main/ui");

  /** A text that is a command: after its quote, perhaps behind another program and a pipe. */
  private static final Pattern COMMAND =
      Pattern.compile("([\"'`])((?:[a-z]+ [^\"'`|]*\\| )?hapax (?:\\\\.|(?!\\1).)*)\\1( \\+ \\w)?");

  private static final Pattern VERB_IN_PROSE = Pattern.compile("\\bhapax ([a-z][a-z-]+)");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  /** What {@code hapax init} writes for agents, and their guide. */
  private static final List<Path> OF_AGENTS =
      Stream.of(
              "examples/skills/hapax-flows/SKILL.md",
              "app/src/main/resources/dev/hapax/app/cli/authoring/agents.md",
              "docs/flows/agents.md")
          .map(PAGES.resolve("../../../..").normalize()::resolve)
          .toList();

  private static List<Path> sources() throws IOException {
    try (var files = Files.walk(PAGES)) {
      return files.filter(file -> file.toString().matches(".*\\.tsx?")).sorted().toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The commands of a source. What the page fills in is a number, which is also a name. */
  private static Set<String> commands(String source) {
    Set<String> found = new TreeSet<>();
    Matcher text = COMMAND.matcher(source);
    while (text.find()) {
      String command =
          text.group(2).replaceAll("\\\\(.)", "$1").replaceAll("\\$\\{[^}]*}", "1")
              + (text.group(3) == null ? "" : "1");
      for (String part : command.split(" (?:&&|\\|) ", -1)) {
        if (part.startsWith("hapax ")) {
          found.add(part);
        }
      }
    }
    return found;
  }

  private static String[] arguments(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command.substring("hapax ".length()));
    while (word.find()) {
      words.add(
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group(3));
    }
    return words.toArray(String[]::new);
  }

  @Test
  void every_command_of_a_page_parses() throws IOException {
    Set<String> all = new TreeSet<>();
    sources().forEach(file -> all.addAll(commands(read(file))));
    assertThat(all).hasSizeGreaterThan(30);
    all.forEach(CommandsOfPagesTest::assertParses);
  }

  @Test
  void every_command_for_agents_parses() throws IOException {
    for (Path file : OF_AGENTS) {
      Set<String> all = commands(read(file));
      assertThat(all).as(file.toString()).hasSizeGreaterThan(2);
      for (String command : all) {
        if (command.matches("hapax \\S+")) { // a sentence names it, without its arguments
          assertThat(verbs()).contains(command.substring("hapax ".length()));
        } else {
          assertParses(command);
        }
      }
    }
    List<String> lines =
        read(OF_AGENTS.getLast()).lines().filter(line -> line.startsWith("hapax ")).toList();
    assertThat(lines).hasSizeGreaterThan(10);
    lines.stream()
        .flatMap(line -> Stream.of(line.replaceFirst(" +#.*", "").split(" && ", -1)))
        .forEach(CommandsOfPagesTest::assertParses);
  }

  private static void assertParses(String command) {
    assertThatCode(() -> Cli.commandLine(Main.verbs(), _ -> true).parseArgs(arguments(command)))
        .as(command)
        .doesNotThrowAnyException();
  }

  @Test
  void every_verb_that_a_sentence_names_exists() throws IOException {
    Matcher named = VERB_IN_PROSE.matcher(read(PAGES.resolve("text.ts")));
    while (named.find()) {
      assertThat(verbs()).as(named.group()).contains(named.group(1));
    }
  }

  private static Set<String> verbs() {
    return Cli.commandLine(Main.verbs(), _ -> true).getSubcommands().keySet();
  }
}
