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
import org.junit.jupiter.api.Test;

/** Every command that a page of the web UI teaches or copies is one that the program knows. */
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
    for (String command : all) {
      assertThatCode(() -> Cli.commandLine(Main.verbs(), _ -> true).parseArgs(arguments(command)))
          .as(command)
          .doesNotThrowAnyException();
    }
  }

  @Test
  void every_verb_that_a_sentence_names_exists() throws IOException {
    Set<String> verbs = Cli.commandLine(Main.verbs(), _ -> true).getSubcommands().keySet();
    Matcher named = VERB_IN_PROSE.matcher(read(PAGES.resolve("text.ts")));
    while (named.find()) {
      assertThat(verbs).as(named.group()).contains(named.group(1));
    }
  }
}
